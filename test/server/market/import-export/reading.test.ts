import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { type Entry, readEntries } from "../../../../server/market/import-export/reading/read-entries.ts";
import { seededRandom } from "../../../support/random.ts";

async function read(bytes: Buffer | string, pieces?: () => number): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for await (const group of readEntries(inPieces(Buffer.from(bytes), pieces))) entries.push(...group);
  return entries;
}

async function* inPieces(bytes: Buffer, length: () => number = () => bytes.length): AsyncIterable<Buffer> {
  for (let at = 0; at < bytes.length; ) {
    const end = at + Math.max(1, length());
    yield bytes.subarray(at, end);
    at = end;
  }
}

const line = (number: number, text: string): Entry => ({ line: number, text });
const item = (number: number, index: number, text: string): Entry => ({ line: number, index, text });

test.each<[string, Buffer | string, readonly Entry[]]>([
  ["nothing", "", []],
  ["blanks", " \n\r\n\t\n", []],
  ["lines", '{"a":1}\n{"b":2}\n', [line(1, '{"a":1}'), line(2, '{"b":2}')]],
  ["a last line without an end", "1\n2", [line(1, "1"), line(2, "2")]],
  ["blank lines are counted", "1\n\n \n2\n", [line(1, "1"), line(4, "2")]],
  ["blank lines at the beginning are counted", "\n \n\n\n\n1\n", [line(6, "1")]],
  ["blank lines before an array are counted", "\n \n\n\n\n[1]", [item(6, 1, "1")]],
  ["ends as Windows writes them", "1\r\n2\r\n", [line(1, "1\r"), line(2, "2\r")]],
  ["a byte order mark", Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from("1\n")]), [line(1, "1")]],
  ["gzip", gzipSync("1\n2\n"), [line(1, "1"), line(2, "2")]],
  ["a NUL", "1\n\0\n2", [line(1, "1"), line(2, "\0"), line(3, "2")]],
  [
    "bytes that are no UTF-8",
    Buffer.from([0x31, 0x0a, 0xff, 0xfd, 0x0a, 0x32]),
    [line(1, "1"), { line: 2, error: "not valid UTF-8" }, line(3, "2")],
  ],
  ["an empty array", " [ ] ", []],
  ["an array on one line", '[{"a":1},{"b":2}]', [item(1, 1, '{"a":1}'), item(1, 2, '{"b":2}')]],
  ["an array over lines", '[\n {"a":\n [1]},\n 2\n]\n', [item(2, 1, '{"a":\n [1]}'), item(4, 2, "2\n")]],
  ["brackets and commas in texts", '["],[\\"}",["}"]]', [item(1, 1, '"],[\\"}"'), item(1, 2, '["}"]')]],
  [
    "an array that is cut off",
    '[{"a":1},{"b"',
    [item(1, 1, '{"a":1}'), { line: 1, index: 2, error: "the file ends within this entry" }],
  ],
  [
    "an array without its end",
    "[1,\n",
    [item(1, 1, "1"), { line: 2, error: 'the file ends before the "]" of its array' }],
  ],
  [
    "something behind an array",
    "[1]\n2",
    [item(1, 1, "1"), { line: 2, index: 2, error: "unexpected text after the array" }],
  ],
  [
    "a comma too many",
    "[1,,2]",
    [item(1, 1, "1"), { line: 1, index: 2, error: "expected an entry before the comma" }, item(1, 3, "2")],
  ],
])("%s", async (_, bytes, entries) => {
  expect(await read(bytes)).toEqual(entries);
  expect(await read(bytes, () => 1)).toEqual(entries);
});

test("entries are the same however bytes are chunked (seed 11)", async () => {
  const random = seededRandom(11);
  const text = ['{"a":"ä€😀\\"[{"}', "", '{"b":[1,{"c":"]"}]}', "x"];
  for (let round = 0; round < 200; round++) {
    const parts = Array.from({ length: random.below(6) }, () => random.pick(text));
    const bytes = round % 2 === 0 ? parts.join("\n") : `[${parts.filter((part) => part !== "").join(",\n")}]`;
    expect(await read(bytes, () => random.below(5))).toEqual(await read(bytes));
  }
});

/** Three documents of 2 MiB, with room to spare. */
const maxEntryBytes = 8_388_608;

test.each([
  [8_388_607, true],
  [8_388_608, true],
  [8_388_609, false],
])("an entry of %i bytes is read: %s", async (bytes, isRead) => {
  const entry = `"${"x".repeat(bytes - 2)}"`;
  for (const text of [entry, `[${entry}]`]) {
    const [found] = await read(text, () => 65_536);
    expect(found !== undefined && "text" in found).toBe(isRead);
  }
});

describe("an entry that is too long", () => {
  const long = `"${"x".repeat(maxEntryBytes)}"`;
  const error = `the entry has ${maxEntryBytes + 2} bytes, at most ${maxEntryBytes} are allowed`;

  test.each([
    ["in lines", `1\n${long}\n2\n`, [line(1, "1"), { line: 2, error }, line(3, "2")]],
    ["in an array", `[1,\n${long},2]`, [item(1, 1, "1"), { line: 2, index: 2, error }, item(2, 3, "2")]],
  ])("%s is rejected", async (_, bytes, entries) => {
    expect(await read(bytes, () => 65_536)).toEqual(entries);
  });

  test("of a gigabyte does not fill memory", async () => {
    const piece = Buffer.alloc(1_048_576, "x");
    async function* gigabyte(): AsyncIterable<Buffer> {
      for (let count = 0; count < 1_024; count++) yield piece;
      yield Buffer.from("\n2\n");
    }
    const before = process.memoryUsage().arrayBuffers;
    const entries: Entry[] = [];
    for await (const group of readEntries(gigabyte())) entries.push(...group);
    expect(entries).toEqual([
      { line: 1, error: `the entry has 1073741824 bytes, at most ${maxEntryBytes} are allowed` },
      line(2, "2"),
    ]);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1_048_576);
  });
});

test.each([
  [
    "UTF-16",
    Buffer.from("\ufeff{}", "utf16le"),
    "this is UTF-16, not NDJSON or JSON in UTF-8; convert it first: iconv",
  ],
  ["zstd", Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0]), "this is zstd"],
  [
    "a broken gzip",
    gzipSync("x".repeat(10_000)).subarray(0, 25),
    "the gzip file cannot be decompressed: unexpected end of file",
  ],
])("%s is reported with its file type", async (_, bytes, message) => {
  await expect(read(bytes)).rejects.toThrow(message);
});
