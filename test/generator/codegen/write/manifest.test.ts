import { expect, test } from "vitest";
import {
  checksumText,
  hashOf,
  type Manifest,
  readManifest,
  writeManifest,
} from "../../../../generator/codegen/write/manifest.ts";

test.each([
  ["types.ts", true],
  ["server/index.ts", true],
  ["..types.ts", true],
  ["../types.ts", false],
  ["server/../../types.ts", false],
  ["./types.ts", false],
  ["/types.ts", false],
  ["server//types.ts", false],
  ["C:types.ts", false],
  ["server\\..\\types.ts", false],
])("a generated file at %j is in the folder: %s", (path, isListed) => {
  const listed = isListed ? { [path]: "1a" } : {};
  expect(readManifest(`file 1a ${path}\n`).files).toEqual(listed);
  expect(readManifest(`tool 1\nnext 1a ${path}\n`).next).toEqual(listed);
});

test.each([
  ["", "000000000"],
  ["api", hashOf(Buffer.from("api"))],
  ["a\nb\n", hashOf("a\r\nb\r\n")],
  ["a\nb\n", hashOf(Buffer.from("a\r\nb\r\n"))],
  ["a\rb", hashOf(Buffer.from("a\rb"))],
  ["ü", hashOf(Buffer.from("ü"))],
])("the hash of %j is %s", (text, hash) => {
  expect(hashOf(text)).toBe(hash);
});

test.each([
  ["a carriage return alone", "a\rb", "ab"],
  ["one letter", "a", "b"],
  ["zeros at the end", "a", "a\0"],
])("%s changes the hash, of text and of bytes", (_case, before, after) => {
  expect(hashOf(before)).not.toBe(hashOf(after));
  expect(hashOf(Buffer.from(before))).not.toBe(hashOf(Buffer.from(after)));
});

test("a checksum has eight digits before the length", () => {
  expect(checksumText(0x3b4c26d, 12)).toBe("03b4c26dc");
  expect(checksumText(0xffffffff, 255)).toBe("ffffffffff");
});

const manifest: Manifest = {
  tool: "0.1.0 ab",
  options: "cd",
  templates: "",
  inputs: { "../b.ridl": "2", "../a.ridl": "1" },
  files: { "types.ts": "3" },
};

test("a manifest has a line for each fact, in order", () => {
  const lines = writeManifest({ ...manifest, templates: "ef", next: { "new.ts": "5" } }).split("\n");
  expect(lines.filter((line) => !line.startsWith("#"))).toEqual([
    "tool 0.1.0 ab",
    "options cd",
    "templates ef",
    "input 1 ../a.ridl",
    "input 2 ../b.ridl",
    "file 3 types.ts",
    "next 5 new.ts",
    "",
  ]);
  expect(writeManifest(manifest)).not.toContain("templates");
});

test("what is written is read, with the line ends of Windows too", () => {
  const unfinished = { ...manifest, templates: "ef", next: { "new.ts": "5" } };
  for (const each of [manifest, unfinished])
    for (const end of ["\n", "\r\n"])
      expect(readManifest(writeManifest(each).replaceAll("\n", end))).toEqual(
        each === manifest ? each : { ...each, merged: new Set() },
      );
});

test.each<[string, string, object]>([
  ["the same tool twice", "tool 1\ntool 1\n", { tool: "1" }],
  ["two tools: the first counts", "tool 1\ntool 2\n", { tool: "1", next: {}, merged: new Set() }],
  ["the same input twice", "input 1 a\ninput 1 a\n", { inputs: { a: "1" } }],
  ["two inputs", "input 1 a\ninput 2 a\n", { inputs: { a: "1" }, next: {}, merged: new Set() }],
  ["the same file twice", "file 1 a\nfile 1 a\n", { files: { a: "1" } }],
  ["two files", "file 1 a\nfile 2 a\n", { files: { a: "1" }, next: { a: "2" }, merged: new Set(["a"]) }],
  [
    "a run that was interrupted twice",
    "tool 1\nnext 1 a\nnext 2 a\n",
    { tool: "1", next: { a: "2" }, merged: new Set() },
  ],
  ["other words", "tools 1\nfiles 1 a\nfile x a\nfile 1\n", {}],
  ["a path with blanks", "file 1 a b.ts\n", { files: { "a b.ts": "1" } }],
])("merged lines: %s", (_case, text, expected) => {
  const empty = { tool: "", options: "", templates: "", inputs: {}, files: {} };
  expect(readManifest(text)).toEqual({ ...empty, ...expected });
});

test("without a file, nothing is listed", () => {
  const empty = { tool: "", options: "", templates: "", inputs: {}, files: {} };
  expect([readManifest(undefined), readManifest("{")]).toEqual([empty, empty]);
});
