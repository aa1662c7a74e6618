/** The example of a response that the page shows before a call. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeJson } from "../../../generator/explorer/page/json/node.ts";
import { exampleNode } from "../../../generator/explorer/page/schema/example.ts";
import { readSchema } from "../../../generator/explorer/page/schema/ir.ts";
import { shapeOf } from "../../../generator/explorer/page/schema/shape.ts";
import { contractIr } from "../../support/contract-ir.ts";
import { folder } from "../../support/program.ts";

function exampleOf(declarations: string, known: Readonly<Record<string, string>> = {}): unknown {
  using dir = folder({ "a.ridl": `webrpc = v1\nname = a\nversion = v1\nbasepath = /rpc\n\n${declarations}` });
  const schema = readSchema(contractIr(join(dir.path, "a.ridl")));
  const values = Object.entries(known).map(
    ([name, value]) => [name, { kind: "string" as const, value }] as const,
  );
  return JSON.parse(
    writeJson(exampleNode(schema, shapeOf(schema, { type: "T", meta: {} }), new Map(values))),
  );
}

test.each<[string, string, unknown]>([
  ["text", "- a: string", { a: "text" }],
  ["an example", "- a: string\n    + example = Ada", { a: "Ada" }],
  ["a format", "- a: string\n    + format = email", { a: "ada@example.com" }],
  ["an address", '- a: string\n    + pattern = "^0x[0-9a-f]{4}$"', { a: "0x5a5a" }],
  ["bytes", "- a: []byte", { a: "aGVsbG8=" }],
  ["numbers", "- a: int32\n    + minimum = 3\n  - b: float64", { a: 3, b: 1 }],
  ["other scalars", "- a: bool\n  - b: timestamp\n  - c: any", { a: true, b: "2026-01-31T12:00:00Z", c: {} }],
  ["lists and maps", "- a: []int8\n  - b: map<string,bool>", { a: [1], b: { key: true } }],
  ["an optional field", "- a?: string", { a: "text" }],
  ["a secret", "- a: string\n    + secret = true\n  - b: bool", { b: true }],
  ["a value of a brand", "- a: Id\ntype Id: uint64\n  + brand = true\n  + minimum = 7", { a: 7 }],
  ["no text for a broken rule", "- a: string\n    + message = Hi", { a: "text" }],
  ["one of a group", "- a?: bool\n    + oneOf = g\n  - b?: bool\n    + oneOf = g", { a: true }],
])("has %s", (_, fields, expected) => {
  expect(exampleOf(`struct T\n  ${fields}\n`)).toEqual(expected);
});

test.each<[string, string, unknown]>([
  ["the fields that omit leaves", "type T: P\n  + omit = id\n", { name: "Ada", size: 1 }],
  ["the fields that pick names", "type T: P\n  + pick = name\n  + partial = true\n", { name: "Ada" }],
  [
    "those of a struct that is derived twice",
    "type Q: P\n  + omit = size\ntype T: Q\n  + omit = id\n",
    { name: "Ada" },
  ],
])("has of a derived struct %s", (_, derived, expected) => {
  const fields = "- id: Id\n  - name: string\n    + message = Hi\n    + example = Ada\n  - size: uint8\n";
  expect(exampleOf(`type Id: uint64\n  + brand = true\nstruct P\n  ${fields}${derived}`)).toEqual(expected);
});

test.each<[string, string, Readonly<Record<string, string>>, unknown]>([
  ["texts", "- id: string\n  - n: int8", { id: "x7", n: "y" }, { id: "x7", n: 1 }],
  ["a text instead of an example", "- a: string\n    + example = b", { a: "c" }, { a: "c" }],
  ["numbers", "- a: uint64\n  - b: bigint", { a: "137", b: "138" }, { a: 137, b: "138" }],
  ["no empty text", "- a: string", { a: "" }, { a: "text" }],
  ["a member of an enum", "- a: E\n  - b: E", { a: "y", b: "z" }, { a: "y", b: "x" }],
  [
    "no id in deeper structs",
    "- id: int8\n  - a: A\n  - b: []A",
    { id: "7" },
    { id: 7, a: { id: 7 }, b: [{ id: 1 }] },
  ],
])("repeats of the request %s", (_, fields, known, expected) => {
  const others = "\nenum E: string\n  - x\n  - y\n\nstruct A\n  - id: int8\n";
  expect(exampleOf(`struct T\n  ${fields}\n${others}`, known)).toEqual(expected);
});

test("has other members of an enum in other fields", () => {
  const enums = "enum E: string\n  - x\n  - y\n  - unknown\n";
  expect(exampleOf(`${enums}\nstruct T\n  - a: E\n  - b: E\n  - c: E\n`)).toEqual({ a: "x", b: "y", c: "x" });
});

test("leaves out a struct in itself, and the sixth level of a list in itself", () => {
  expect(exampleOf("struct T\n  - t?: T\n  - all: []T\n")).toEqual({ t: {}, all: [{}] });
  expect(JSON.stringify(exampleOf("type F: []F\nstruct T\n  - f: F\n"))).toBe('{"f":[[[[[[]]]]]]}');
});

test.each([
  [498, { b: true }],
  [499, {}],
])("leaves out what follows 500 values: after %i", (before, last) => {
  const fields = Array.from({ length: before }, (_, at) => `  - a${at}: bool\n`).join("");
  const { last: found } = exampleOf(`struct T\n${fields}  - last: L\nstruct L\n  - b: bool\n`) as {
    last: object;
  };
  expect(found).toEqual(last);
});
