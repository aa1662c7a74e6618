/** The method that the overview offers to call. */
import { expect, test } from "vitest";
import { firstCallOf } from "../../../generator/explorer/page/call/first-call.ts";
import { type IrMethod, type IrType, readSchema } from "../../../generator/explorer/page/schema/ir.ts";

const method = (name: string, more: Partial<IrMethod> = {}): IrMethod => ({
  name,
  inputs: [],
  outputs: [],
  ...more,
});
const input = { inputs: [{ name: "id", type: "uint64" }] };
const marked = (...names: string[]): Partial<IrMethod> => ({
  annotations: Object.fromEntries(names.map((name) => [name, {}])),
});
const withKey = { annotations: { readonly: {}, auth: { value: "accessKey" } }, ...input };

test.each<[string, readonly IrMethod[], string | undefined]>([
  [
    "a read with a request",
    [
      method("Write", input),
      method("Ping", marked("readonly")),
      method("Get", { ...marked("readonly"), ...input }),
    ],
    "Get",
  ],
  ["a read without a request", [method("Write", input), method("Ping", marked("readonly"))], "Ping"],
  ["a read whose keys are there", [method("Get", withKey)], "Get"],
  ["no write", [method("Write", input)], undefined],
  ["no stream", [method("Watch", { ...marked("readonly"), streamOutput: true })], undefined],
  ["no deprecated method", [method("Old", marked("readonly", "deprecated"))], undefined],
  [
    "no upload",
    [method("Read", { ...marked("readonly"), inputs: [{ name: "f", type: "file" }] })],
    undefined,
  ],
])("is %s", (_, methods, name) => {
  const schema = readSchema({ name: "a", version: "v1", types: [], services: [{ name: "S", methods }] });
  expect(firstCallOf(schema, {}, { accessKey: "k" })?.method.name).toBe(name);
});

test("is the read whose response surely has the most fields", () => {
  const type = (name: string, optional: boolean, ...fields: string[]): IrType => ({
    kind: "struct",
    name,
    fields: fields.map((field) => ({ name: field, type: "string", optional })),
  });
  const types = [type("Rare", true, "a", "b", "c"), type("Sure", false, "a", "b")];
  const methods = types.map(({ name }) =>
    method(`Get${name}`, { ...marked("readonly"), ...input, outputs: [{ name: "of", type: name }] }),
  );
  const schema = readSchema({ name: "a", version: "v1", types, services: [{ name: "S", methods }] });
  expect(firstCallOf(schema, {}, {})?.method.name).toBe("GetSure");
});

test("is no method without its key, and none that the host does not serve", () => {
  const services = [{ name: "S", methods: [method("Get", withKey)] }];
  const schema = readSchema({ name: "a", version: "v1", types: [], services });
  expect(firstCallOf(schema, {}, { accessKey: "" })).toBeUndefined();
  expect(firstCallOf(schema, { services: ["T"] }, { accessKey: "k" })).toBeUndefined();
});

test("is a method named like a read on a developer's machine if there is no read", () => {
  const services = [{ name: "S", methods: [method("Create"), method("GetPet")] }];
  const schema = readSchema({ name: "a", version: "v1", types: [], services });
  expect(firstCallOf(schema, { isMock: true }, {})?.method.name).toBe("GetPet");
});

test("is any method on a developer's machine if there is no read", () => {
  const schema = readSchema({
    name: "a",
    version: "v1",
    types: [],
    services: [{ name: "S", methods: [method("Write")] }],
  });
  for (const host of [{ isMock: true }, { command: "npx ridlkit dev" }])
    expect(firstCallOf(schema, host, {})?.method.name).toBe("Write");
});

test("is the one that the host recommends, if it has its keys", () => {
  const services = [{ name: "S", methods: [method("Get", withKey), method("Write", input)] }];
  const schema = readSchema({ name: "a", version: "v1", types: [], services });
  const first = (accessKey: string, recommended: string): string | undefined =>
    firstCallOf(schema, {}, { accessKey }, recommended)?.method.name;
  expect([first("k", "S/Write"), first("k", "S/None"), first("", "S/Get")]).toEqual([
    "Write",
    "Get",
    undefined,
  ]);
});
