import { describe, expect, test } from "vitest";
import { partOf, requestedRange, sizeOf } from "../../../generator/runtime/src/server-files.ts";

describe("parts of files", () => {
  test.each<[string | undefined, number, unknown]>([
    [undefined, 10, undefined],
    ["bytes=0-0", 10, { start: 0, end: 0 }],
    ["bytes=2-4", 10, { start: 2, end: 4 }],
    ["Bytes= 2-4 ", 10, { start: 2, end: 4 }],
    ["bytes=2-", 10, { start: 2, end: 9 }],
    ["bytes=2-99", 10, { start: 2, end: 9 }],
    ["bytes=9-", 10, { start: 9, end: 9 }],
    ["bytes=10-", 10, "unsatisfiable"],
    ["bytes=4-4", 10, { start: 4, end: 4 }],
    ["bytes=4-3", 10, undefined],
    ["bytes=-3", 10, { start: 7, end: 9 }],
    ["bytes=-10", 10, { start: 0, end: 9 }],
    ["bytes=-99", 10, { start: 0, end: 9 }],
    ["bytes=-0", 10, "unsatisfiable"],
    ["bytes=-1", 0, "unsatisfiable"],
    ["bytes=0-", 0, "unsatisfiable"],
    ["bytes=-", 10, undefined],
    ["bytes=0-1,2-3", 10, undefined],
    ["items=0-1", 10, undefined],
  ])("%s of %i bytes is %j", (field, size, expected) => {
    expect(requestedRange(field, size)).toEqual(expected);
  });

  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (const text of ["ab", "cd", "ef"]) yield new TextEncoder().encode(text);
  }

  const bodies = {
    bytes: () => ({ body: new TextEncoder().encode("abcdef"), name: "a.txt", type: "text/plain" }),
    chunks: () => ({ body: chunks(), size: 6, name: "a.txt", type: "text/plain" }),
    "a stream": () => ({ body: ReadableStream.from(chunks()), size: 6, name: "a.txt", type: "text/plain" }),
    "a file": () => new File(["abcdef"], "a.txt", { type: "text/plain" }),
  };

  test.each(
    Object.entries(bodies).flatMap(([name, make]) =>
      (
        [
          [0, 0, "a"],
          [1, 2, "bc"],
          [2, 3, "cd"],
          [5, 5, "f"],
          [0, 5, "abcdef"],
        ] as const
      ).map(([start, end, text]) => [name, start, end, text, make] as const),
    ),
  )("of %s, %i to %i are %s", async (_name, start, end, text, make) => {
    const file = make();
    expect(sizeOf(file)).toBe(6);
    const part = partOf(file, { start, end });
    expect([part.name, part.type, part.size]).toEqual(["a.txt", "text/plain", text.length]);
    const read =
      part.body instanceof Uint8Array
        ? part.body
        : Buffer.from(await new Response(part.body as never).arrayBuffer());
    expect(Buffer.from(read).toString()).toBe(text);
  });
});
