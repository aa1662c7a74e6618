/** Which types admit unknown enum values. */

import { expect, test } from "vitest";
import { generate } from "../../../../generator/codegen/generate.ts";
import type { GivenOptions } from "../../../../generator/codegen/options.ts";
import { compile } from "../../../../generator/language/compile.ts";
import { memoryReader } from "../../../support/memory-reader.ts";

const schema = `webrpc = v1
name = t
version = v1
basepath = /rpc

enum Kind: uint16
  - cat
  - dog
enum None: string

type Sort: Kind
type Twice: Sort
type Kinds: []Kind
type Wanted: []Kind
type Deep: map<Kind,Deep>

struct Asked
  - kind: Kind
  - wanted: Wanted
  - sort?: Sort
struct Both
  - kind: Kind
  - size?: int
    + default = 3
struct Given
  - size: int
    + default = 3
  - kind: Kind
struct Event
  - kind: Kind
struct Answer
  - kind?: Kind
  - twice: Twice
  - none: None
  - isNull: Kind
    + nullable = always
  - list: []Kind
  - lists: [][]Sort
  - keys: map<Sort,string>
  - values: map<string,Kind>
  - both: map<Kind,[]Kind>
  - kinds: Kinds
  - deep: Deep
  - text: string
  - id: int64

service S
  - M(asked: Asked, both: Both, given: Given) => (answer: Answer, both: Both, given: Given)
  - W() => stream (item: []Kind)
`;

function typesWith(options: GivenOptions): Record<string, string> {
  const { result } = compile("t.ridl", memoryReader({ "t.ridl": schema }));
  if (result === undefined) throw new Error("refused");
  const files = generate(result.model, result.ir, { schemaFile: "t.ridl", targets: ["client"], ...options });
  const text = files.get("types.ts") ?? "";
  const types: Record<string, string> = {};
  let within = "";
  for (const line of text.split("\n")) {
    const [, struct, field, typeOfField = "", alias, target = ""] =
      /^export interface (\w+)|^ {2}(\w+)\??: (.*);$|^export type (\w+) = (.*);$/.exec(line) ?? [];
    if (struct !== undefined) within = struct;
    if (field !== undefined) types[`${within}.${field}`] = typeOfField;
    if (alias !== undefined) types[alias] = target;
  }
  return types;
}

const open = {
  "Answer.kind": "Kind | (string & {})",
  "Answer.twice": "Twice | (string & {})",
  "Answer.none": "None | (string & {})",
  "Answer.isNull": "Kind | (string & {}) | null",
  "Answer.list": "Array<Kind | (string & {})>",
  "Answer.lists": "Array<Array<Sort | (string & {})>>",
  "Answer.keys": "Partial<Record<Sort | (string & {}), string>>",
  "Answer.values": "Record<string, Kind | (string & {})>",
  "Answer.both": "Partial<Record<Kind | (string & {}), Array<Kind | (string & {})>>>",
  Kinds: "Array<Kind | (string & {})>",
  Deep: "{ [key in Kind | (string & {})]?: Deep }",
  "Both.kind": "Kind | (string & {})",
  "Given.kind": "Kind | (string & {})",
  "GivenInput.kind": "Kind | (string & {})",
  "Event.kind": "Kind | (string & {})",
  "WResponse.item": "Array<Kind | (string & {})>",
};

const closed = Object.fromEntries(
  Object.entries(open).map(([name, type]) => [
    name,
    type
      .replaceAll(" | (string & {})", "")
      .replaceAll(/Array<(\w+)>/g, "$1[]")
      .replace("Array<Sort[]>", "Sort[][]"),
  ]),
);

/** The same in both forms. */
const always = {
  Kind: "(typeof Kind)[keyof typeof Kind]",
  Sort: "Kind",
  Twice: "Sort",
  Wanted: "Kind[]",
  "Asked.kind": "Kind",
  "Asked.sort": "Sort",
  "Answer.text": "string",
  "Answer.kinds": "Kinds",
};

test.each<[string, GivenOptions, Record<string, string>]>([
  ["a client", {}, open],
  ["the default targets", { targets: [] }, open],
  ["a client with bigints", { int64: "bigint" }, open],
  ["a client with closed enums", { enums: "closed" }, closed],
  ["a server", { targets: ["server", "validators"] }, closed],
  ["types alone", { targets: ["types"] }, closed],
  ["a server with open enums", { targets: ["server"], enums: "open" }, open],
])("%s", (_, options, expected) => {
  expect(typesWith(options)).toMatchObject({ ...always, ...expected });
});

test("handlers receive closed requests", () => {
  expect(typesWith({})).toMatchObject({ "BothWithDefaults.kind": "Kind" });
});

test("a client exports isOneOf if there are enums", () => {
  const without = schema
    .replaceAll(/^(enum|type) .*\n( {2}- (cat|dog)\n)*/gm, "")
    .replaceAll(/\b(Kind|Sort|Twice|None|Kinds|Wanted|Deep)\b/g, "string");
  const exported = [schema, without].map((text) => {
    const { result } = compile("t.ridl", memoryReader({ "t.ridl": text }));
    if (result === undefined) throw new Error("refused");
    const files = generate(result.model, result.ir, { schemaFile: "t.ridl", targets: ["client"] });
    return [...files].filter(([path]) => /client/.test(path)).some(([, code]) => code.includes("isOneOf"));
  });
  expect(exported).toEqual([true, false]);
});
