import { expect, test } from "vitest";
import { compile } from "../../../../generator/language/compile.ts";
import { filterIr, type IrFilter, parseAnnotationFilter } from "../../../../generator/language/ir/filter.ts";
import { memoryReader } from "../../../support/memory-reader.ts";

test.each<[string, readonly (readonly [string, string])[] | undefined]>([
  ["@internal", [["internal", ""]]],
  ["@acl:admin", [["acl", "admin"]]],
  ["@scope:read:pets", [["scope", "read:pets"]]],
  ["@acl:", [["acl", ""]]],
  [
    "@a,@b:c",
    [
      ["a", ""],
      ["b", "c"],
    ],
  ],
  [" @a", [["a", ""]]],
  ["@a@b", [["a@b", ""]]],
  ["a", undefined],
  ["@a,b", undefined],
  ["", undefined],
])("the filter %j selects %j", (text, expected) => {
  const filter = parseAnnotationFilter(text);
  expect(filter && [...filter]).toEqual(expected);
});

const schema = `webrpc = v1
name = zoo
version = v1

struct Pet
  - id: uint64
  - owner: Owner

struct Owner
  - name: string

struct Visit
  - at: timestamp

service Pets
  @scope:"read:pets"
  - Get(id: uint64) => (pet: Pet)
  @internal
  - Drop(id: uint64)

service Visits
  @scope:"read"
  - List() => (visits: []Visit)
`;

test.each<[string, IrFilter, readonly string[], readonly string[]]>([
  ["nothing", {}, ["Get", "Drop", "List"], ["Pet", "Owner", "Visit"]],
  ["a name", { match: new Map([["scope", ""]]) }, ["Get", "List"], ["Pet", "Owner", "Visit"]],
  ["blanks for a value", { match: new Map([["scope", " "]]) }, ["Get", "List"], ["Pet", "Owner", "Visit"]],
  ["a value", { match: new Map([["scope", "read:pets"]]) }, ["Get"], ["Pet", "Owner", "Visit"]],
  ["a part of a value", { match: new Map([["scope", "read:"]]) }, [], ["Pet", "Owner", "Visit"]],
  [
    "a name to leave out",
    { ignore: new Map([["internal", ""]]) },
    ["Get", "List"],
    ["Pet", "Owner", "Visit"],
  ],
  [
    "both: what is left out stays out",
    { match: new Map([["scope", ""]]), ignore: new Map([["scope", "read"]]) },
    ["Get"],
    ["Pet", "Owner", "Visit"],
  ],
  ["a service", { services: ["Pets"] }, ["Get", "Drop"], ["Pet", "Owner", "Visit"]],
  [
    "a service and its types",
    { services: ["Pets"], methodTreeShake: true },
    ["Get", "Drop"],
    ["Pet", "Owner"],
  ],
  ["an unknown service", { services: ["Gone"] }, [], ["Pet", "Owner", "Visit"]],
  ["types alone", { methodTreeShake: true }, ["Get", "Drop", "List"], ["Pet", "Owner", "Visit"]],
])("filtered by %s", (_case, filter, methods, types) => {
  const { result } = compile("zoo.ridl", memoryReader({ "zoo.ridl": schema }));
  if (result === undefined) throw new Error("the schema has errors");
  const ir = filterIr(result.ir, filter);
  expect((ir.services ?? []).flatMap((service) => service.methods ?? []).map(({ name }) => name)).toEqual(
    methods,
  );
  expect((ir.types ?? []).map(({ name }) => name)).toEqual(types);
});
