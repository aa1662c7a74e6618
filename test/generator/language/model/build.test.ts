import { expect, test } from "vitest";
import { compile } from "../../../../generator/language/compile.ts";
import type { FieldModel, Model, StructModel } from "../../../../generator/language/model/model.ts";
import { memoryReader } from "../../../support/memory-reader.ts";

function modelOf(body: string): Model {
  const text = `webrpc = v1\nname = t\nversion = v1\nbasepath = rpc\n${body}`;
  const { diagnostics, result } = compile("m.ridl", memoryReader({ "m.ridl": text }));
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  if (result === undefined) throw new Error("refused");
  return result.model;
}

function fieldOf(model: Model, struct: string, field: string): FieldModel {
  const found = (model.typeByName.get(struct) as StructModel).fields.find(({ name }) => name === field);
  if (found === undefined) throw new Error(`no ${struct}.${field}`);
  return found;
}

test("a field's meta overrides its alias type's, key by key", () => {
  const model = modelOf(`type Amount: string
  + pattern = "^[0-9]+$"
  + maxLength = 78
  + accepts = string,integer
struct T
  - a: Amount
    + maxLength = 5
  - b: []Amount
    + maxItems = 3
`);
  expect(fieldOf(model, "T", "a").constraints).toMatchObject({
    pattern: "^[0-9]+$",
    maxLength: 5,
    accepts: ["string", "integer"],
  });
  expect(fieldOf(model, "T", "b").constraints).toEqual({
    maxItems: 3,
    examples: [],
    accepts: [],
    secret: false,
    pii: false,
  });
});

test("an invalid default has no effect, and neither has a key with the value false", () => {
  const model = modelOf(`type Age: uint8
  + default = 7
  + deprecated = true
struct T
  - a: uint8
    + default = 256
  - b: Age
    + default = 256
    + deprecated = false
  - c: string
    + default.empty = false
    + secret = false
`);
  expect(fieldOf(model, "T", "a").constraints.default).toBeUndefined();
  expect(fieldOf(model, "T", "b").constraints.default).toBe("7");
  expect(fieldOf(model, "T", "b").constraints.deprecated).toBeUndefined();
  const { default: empty, secret } = fieldOf(model, "T", "c").constraints;
  expect([empty, secret]).toEqual([undefined, false]);
});

test("wire names: json, alias, twin, and fields that are never sent", () => {
  const model = modelOf(`struct T
  - chainId: int
    + json = chain_id
    + alias = chainID
    + alias = chain
    + twin = network
  - secret: string
    + json = -
`);
  expect(fieldOf(model, "T", "chainId")).toMatchObject({
    wireName: "chain_id",
    aliases: ["chainID", "chain"],
    twins: ["network"],
  });
  expect(fieldOf(model, "T", "secret").wireName).toBeUndefined();
});

test("enums: an implicit value is the index, and the wire form depends on the base", () => {
  const model = modelOf("enum A: int\n - x = 5\n - y\nenum B: string\n - x = left\n - y\n");
  expect(model.typeByName.get("A")).toMatchObject({
    values: [
      { value: "5", wire: "x" },
      { value: "1", wire: "y" },
    ],
  });
  expect(model.typeByName.get("B")).toMatchObject({
    values: [
      { value: "left", wire: "left" },
      { value: "y", wire: "y" },
    ],
  });
});

test("documentation that the reference tool loses is kept", () => {
  const model = modelOf(`# of the enum
enum E: int
  - a # of a
# of the error,
#   in two lines
error 1 Lost "lost" # and behind it
service S
  # of the method
  @a
  # between
  @b
  - M() # behind
  #! private
  - N()
`);
  expect(model.typeByName.get("E")?.docs).toEqual(["of the enum"]);
  expect(model.errors[0]?.docs).toEqual(["of the error,", "  in two lines", "and behind it"]);
  expect(model.services[0]?.methods.map(({ docs }) => docs)).toEqual([
    ["of the method", "between", "behind"],
    [],
  ]);
});

test("payloads and errors of methods", () => {
  const model = modelOf(`error 1 Lost "lost"
struct Req
struct Res
service S
  - A(Req) => (Res) errors Lost | Lost
  - B(x?: map<string,[]Req>) => stream (y: int)
`);
  expect(model.basepath).toBe("/rpc/");
  expect(model.services[0]?.methods).toMatchObject([
    { input: { kind: "struct", name: "Req" }, output: { kind: "struct", name: "Res" }, errors: ["Lost"] },
    {
      input: {
        kind: "arguments",
        arguments: [
          {
            name: "x",
            optional: true,
            type: {
              kind: "map",
              key: { kind: "core", name: "string" },
              value: { kind: "list", element: { kind: "struct", name: "Req" } },
            },
          },
        ],
      },
      streamOutput: true,
      errors: undefined,
    },
  ]);
});

test("bounds beyond 2^53 keep all digits", () => {
  const model = modelOf(
    "struct T\n  - a: bigint\n    + maximum = 18446744073709551615\n    + minimum = -1\n",
  );
  expect(fieldOf(model, "T", "a").constraints).toMatchObject({ maximum: 18446744073709551615n, minimum: -1 });
});

test("a file of a struct may be deprecated, with a reason or without one", () => {
  const model = modelOf(`struct Ask
  - old: file
    + deprecated = true
  - older: file
    + deprecated = "use new"
  - new: file
struct Answer
  - id: int
service S
  - One(Ask) => (Answer)
`);
  expect(model.services[0]?.methods[0]?.files).toEqual([
    { name: "old", optional: false, isList: false, docs: [], deprecated: true },
    { name: "older", optional: false, isList: false, docs: [], deprecated: "use new" },
    { name: "new", optional: false, isList: false, docs: [] },
  ]);
});

test("files are sent next to the request body, or are the whole response", () => {
  const model = modelOf(`struct File
  - id: int
struct Ask
  - id: int
service S
  - One(a: file, b?: file, c: []file, d: int) => (e: file)
  - Two(Ask) => (report: file)
  - Three(Ask) => (file)
`);
  const [one, two, three] = model.services[0]?.methods ?? [];
  expect(one).toMatchObject({
    input: { kind: "arguments", arguments: [{ name: "d" }] },
    output: { kind: "arguments", arguments: [] },
    files: [
      { name: "a", optional: false, isList: false },
      { name: "b", optional: true, isList: false },
      { name: "c", optional: false, isList: true },
    ],
    fileOutput: true,
  });
  expect(two).toMatchObject({ input: { kind: "struct", name: "Ask" }, fileOutput: true });
  // Names in the succinct form are case-insensitive.
  expect(three).toMatchObject({ output: { kind: "struct", name: "File" }, fileOutput: false });
});
