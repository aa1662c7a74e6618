/** The reader of Content-Disposition, against the grammar, the writer of servers and the package `content-disposition`. */
import contentDisposition from "content-disposition";
import { describe, expect, test } from "vitest";
import { fileNameIn } from "../../../generator/runtime/src/headers.ts";
import { OutgoingFile } from "../../../generator/runtime/src/server-files.ts";
import { seededRandom } from "../../support/random.ts";

/** The header that a server sends with a file. */
function written(name: string): string {
  const { headers } = new OutgoingFile({ body: new Uint8Array(), name }, () => {});
  return headers["Content-Disposition"] ?? "";
}

describe("a file name", () => {
  test.each<[header: string, name: string | undefined]>([
    ["", undefined],
    ["attachment", undefined],
    ["attachment;", undefined],
    ["attachment; filename", undefined],
    ["attachment; filename=", undefined],
    ['attachment; filename=""', undefined],
    ["attachment; filename=a.txt", "a.txt"],
    ["attachment;filename=a.txt;size=3", "a.txt"],
    ["attachment \t;\t FILENAME \t=\t a.txt \t; size=3", "a.txt"],
    ["attachment; size=3; filename=a.txt", "a.txt"],
    ["attachment; ; filename=a.txt", "a.txt"],
    ["filename=a.txt", "a.txt"],
    // Quoted text.
    ['attachment; filename="a;b.txt"', "a;b.txt"],
    ['attachment; filename="a=b, c.txt"', "a=b, c.txt"],
    ['attachment; filename="a\\"b\\\\c.txt"', 'a"b\\c.txt'],
    ['attachment; filename="\\a"', "a"],
    ['attachment; filename=" a "', " a "],
    ['attachment; note="filename=wrong.txt"; filename="right.txt"', "right.txt"],
    ['attachment; note="; filename=wrong.txt"; filename="right.txt"', "right.txt"],
    ['attachment; xfilename="wrong.txt"; filename="right.txt"', "right.txt"],
    // Text without quotes that is no token.
    ["attachment; filename=a b.txt", "a b.txt"],
    ["attachment; filename=a/b@c.txt; size=3", "a/b@c.txt"],
    // Broken text ends the header.
    ['attachment; filename="a.txt', undefined],
    ["attachment; filename=\"a.txt\" x; filename*=UTF-8''b.txt", "a.txt"],
    // Extended values.
    ["attachment; filename*=UTF-8''%C3%A4%3b.txt; filename=a.txt", "ä;.txt"],
    ["attachment; filename=\"a.txt\"; filename*=utf-8'de'%e2%82%ac", "€"],
    ["attachment; filename*=ISO-8859-1''%E4%a3; filename=a.txt", "ä£"],
    ["attachment; filename=a.txt; filename*=KOI8-R''%C1", "a.txt"],
    ["attachment; filename=a.txt; filename*=UTF-8''%C3%28", "a.txt"],
    ["attachment; filename=a.txt; filename*=UTF-8''%C3%A", "a.txt"],
    ["attachment; filename=a.txt; filename*=UTF-8''a b", "a.txt"],
    ["attachment; filename=a.txt; filename*=UTF-8'b.txt", "a.txt"],
    ["attachment; filename=a.txt; filename*=\"UTF-8''b.txt\"", "a.txt"],
    ["attachment; filename=a.txt; filename*=UTF-8''", "a.txt"],
    // The first of two.
    ["attachment; filename=a.txt; filename=b.txt", "a.txt"],
    ["attachment; filename*=UTF-8''a.txt; filename*=UTF-8''b.txt", "a.txt"],
    // Property names of objects.
    ["attachment; __proto__=a; constructor=b; filename=c", "c"],
  ])("of %j is %j", (header, name) => {
    expect(fileNameIn(header)).toBe(name);
  });

  test.each([";", "; ", ' "', "; a", '; a="', "; filename=", "; filename*=", '"\\', "\\\\", "%"])(
    "is found in linear time in a header with many %j",
    (part) => {
      const header = `attachment${part.repeat(100_000)}`;
      const start = performance.now();
      fileNameIn(header);
      expect(performance.now() - start).toBeLessThan(1_000);
    },
  );

  const random = seededRandom(20);
  const signs = [
    ..."aZ09 .;=,\"'\\/%*()<>@:[]{}?!#$&+-^_`|~\t\r\n\u007fäÿ€日😀\u0301\u202e",
    "%41",
    "UTF-8''",
    "filename=",
  ];
  const names = Array.from({ length: 10_000 }, () =>
    Array.from({ length: 1 + random.below(12) }, () => random.pick(signs)).join(""),
  );

  test("that a server writes is the same for its client, for 10,000 random names", () => {
    expect(names.filter((name) => fileNameIn(written(name)) !== name)).toEqual([]);
  });

  test("that a server writes is the same for another reader", () => {
    const read = (name: string): unknown => contentDisposition.parse(written(name)).parameters["filename"];
    expect(names.filter((name) => read(name) !== name)).toEqual([]);
  });

  test("that another writer writes is the same for a client", () => {
    // That writer drops folders, and keeps no control characters.
    const plain = names.filter((name) => !/[/\\\u0000-\u001f\u007f]/.test(name));
    expect(plain.length).toBeGreaterThan(1_000);
    expect(plain.filter((name) => fileNameIn(contentDisposition(name)) !== name)).toEqual([]);
  });

  test("is the same for both readers in each header that the stricter one accepts", () => {
    const parts = [
      "; ",
      " ;",
      "filename",
      "filename*",
      "size",
      "=",
      "a.txt",
      '"a;b"',
      '"\\""',
      "UTF-8''%C3%A4",
      "ISO-8859-1'en'a",
      "*",
      " ",
    ];
    let accepted = 0;
    for (let count = 0; count < 20_000; count++) {
      const header = `inline${Array.from({ length: 1 + random.below(8) }, () => random.pick(parts)).join("")}`;
      let expected: string | undefined;
      try {
        expected = contentDisposition.parse(header).parameters["filename"];
      } catch {
        continue;
      }
      accepted++;
      expect([header, fileNameIn(header)]).toEqual([header, expected]);
    }
    expect(accepted).toBeGreaterThan(100);
  });
});
