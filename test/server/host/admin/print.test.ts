import { expect, test } from "vitest";
import { printJson, printTable } from "../../../../server/host/admin/admin.ts";
import { readProjectId, readRecordId } from "../../../../server/host/admin/command.ts";

test("a list is printed as columns as wide as their widest cell", () => {
  const list = [
    { id: 7, createdAt: "today", isOld: true, tags: ["a", "b"] },
    { id: 12_345, createdAt: "", isOld: false, tags: [] },
    { id: 1, createdAt: null, isOld: true, tags: ["\u001b[31m"] },
  ];
  expect(printTable({ list, note: "Read this." })).toBe(`id     created at  is old  tags
7      today       yes     a b
12345  -           no      -
1      -           yes     <U+001B>[31m

Read this.
`);
});

test("an empty list is printed as none", () => {
  expect(printTable({ list: [] })).toBe("none\n");
  expect(printTable({ list: [], ifEmpty: "No key.", note: "Read this." })).toBe("No key.\n\nRead this.\n");
});

test("a record is printed as lines", () => {
  expect(printTable({ record: { id: 7, createdAt: "today", name: "" } })).toBe(`id          7
created at  today
name        -
`);
});

test("programs get JSON without the note", () => {
  expect(printJson({ record: { id: 7 }, note: "Read this." })).toBe('{\n  "id": 7\n}\n');
  expect(printJson({ list: [{ id: 7 }] })).toBe('[\n  {\n    "id": 7\n  }\n]\n');
});

test.each([
  ["0", 0],
  ["9".repeat(15), 999_999_999_999_999],
  ["9".repeat(16), undefined],
  ["", undefined],
  ["-1", undefined],
  ["1.5", undefined],
])("the id %s of a project or a record is read as %s", (text, id) => {
  for (const read of [readProjectId, readRecordId])
    if (id === undefined) expect(() => read(text)).toThrow(/^invalid/);
    else expect(read(text)).toBe(id);
});
