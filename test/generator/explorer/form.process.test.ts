/** From a schema to a form, from what is typed to what is sent, and back. */
import { describe, expect, test } from "vitest";
import { requests } from "../../../generated/validators.ts";
import { absent, type Draft, draftOfJson, firstDraft } from "../../../generator/explorer/page/form/draft.ts";
import { fieldPaths, hintOf } from "../../../generator/explorer/page/form/hint.ts";
import { requestBody } from "../../../generator/explorer/page/form/request-body.ts";
import { parseJson, writeJson } from "../../../generator/explorer/page/json/node.ts";
import { addressOf, findMethod, readSchema } from "../../../generator/explorer/page/schema/ir.ts";
import { bodyShape, hasFiles, type Shape, shapeOf } from "../../../generator/explorer/page/schema/shape.ts";
import { contractIr } from "../../support/contract-ir.ts";

const platform = readSchema(contractIr("schema/platform.ridl"));
const wire = readSchema(contractIr("test/fixtures/wire/schema.ridl"));

const methods = platform.ir.services.flatMap((service) =>
  service.methods.map((method) => ({ name: `${service.name}.${method.name}`, service, method })),
);

test.each(methods)("the form of $name opens with a body that its host reads", ({ service, method }) => {
  const found = { service, method };
  const shape = bodyShape(platform, method, method.inputs);
  const { node, errors } = requestBody(platform, shape, firstDraft(platform, shape));
  expect([...errors]).toEqual([]);
  const read = requests[addressOf(platform, found).path];
  expect(read).toBeTypeOf("function");
  expect(read?.(JSON.parse(writeJson(node)))).toBeUndefined();
});

describe("every kind of field", () => {
  const method = findMethod(wire, "Wire", "Echo")?.method;
  if (method === undefined) throw new Error("the fixture has Echo");
  const shape = bodyShape(wire, method, method.inputs);
  const body =
    '{"flag":true,"small":-128,"large":9007199254740993,"unsigned":18446744073709551615,"counts":[1,2],"named":{"7":"a/b"},' +
    '"ratio":1e-7,"text":"","bytes":"AAE=","big":"-123456789012345678901234567890","amount":"1","amounts":{"x~":["1"]},' +
    '"at":"2024-02-29T12:00:00Z","level":"HIGH","side":"sell","sides":{"buy":1},"texts":["a"],"anything":{"deep":[1.0]},' +
    '"point":{"x":1,"next":{"x":2}},"maybeText":"b"}';

  test("survives the form with every digit", () => {
    const draft = draftOfJson(wire, shape, parseJson(body));
    expect(writeJson(requestBody(wire, shape, draft).node)).toBe(body);
  });

  test("reports invalid values at their fields", () => {
    const draft = draftOfJson(
      wire,
      shape,
      parseJson(body.replace("true", '"yes"').replace("[1,2]", '["one"]')),
    );
    const faults = requestBody(wire, shape, draft).errors;
    expect([...faults]).toEqual([
      ["/flag", "Choose true or false."],
      ["/counts/0", "Enter an integer, such as 42."],
    ]);
  });

  test("has a field for each value, with slashes in names escaped", () => {
    const draft = draftOfJson(wire, shape, parseJson('{"amounts":{"x/y":["1"]},"point":{"x":1}}'));
    const paths = fieldPaths(wire, shape, draft);
    expect([...paths].filter((path) => path.split("/").length > 2)).toEqual([
      "/amounts/x~1y",
      "/amounts/x~1y/0",
      "/point/x",
      "/point/next",
    ]);
  });

  test("initially contains required fields only", () => {
    const first = firstDraft(wire, shape);
    expect(first.kind === "struct" && first.fields["maybePoint"]).toEqual(absent);
    const { node, errors } = requestBody(wire, shape, first);
    expect([...errors]).toEqual([]);
    expect(JSON.parse(writeJson(node))).toMatchObject({
      level: "low",
      side: "buy",
      big: "0",
      point: { x: 0 },
    });
  });
});

test.each([
  ["Register", '{"patient":{"name":"","ward":"A1","address":{"street":"","country":"CH"},"beds":1}}'],
  ["Change", '{"id":0,"patch":{}}'],
])("the form of %s has the fields of its derived struct", (name, body) => {
  const derived = readSchema(contractIr("test/fixtures/derived/schema.ridl"));
  const method = findMethod(derived, "Clinic", name)?.method;
  if (method === undefined) throw new Error(`the fixture has ${name}`);
  const shape = bodyShape(derived, method, method.inputs);
  const { node, errors } = requestBody(derived, shape, firstDraft(derived, shape));
  expect([...errors]).toEqual([]);
  expect(writeJson(node)).toBe(body);
});

test("the draft of a recursive struct ends", () => {
  const loop = readSchema({
    name: "loop",
    version: "v1",
    types: [{ kind: "struct", name: "Loop", fields: [{ name: "loops", type: "[]Loop" }] }],
    services: [],
  });
  const draft = firstDraft(loop, shapeOf(loop, { type: "Loop", meta: {} }));
  const depth = (one: Draft): number =>
    one.kind === "struct"
      ? depth(one.fields["loops"] ?? absent)
      : one.kind === "list"
        ? 1 + Math.max(0, ...one.items.map(depth))
        : 0;
  expect(depth(draft)).toBeLessThan(10);
});

test.each([
  ["Address", ""],
  ["[]Address", ""],
  ["uint32", ""],
  ["timestamp", "RFC 3339, such as 2026-01-31T12:00:00Z"],
])("a field of type %s has the hint %s", (type, words) => {
  expect(hintOf(shapeOf(platform, { type, meta: {} }))).toBe(words);
});

test.each<[string, Readonly<Record<string, string>>, string]>([
  ["string", { minLength: "1", maxLength: "64", default: "x" }, "1 to 64 characters · default: x"],
  ["string", { minLength: "1" }, "at least 1 character"],
  ["string", { minLength: "2" }, "at least 2 characters"],
  ["string", { maxLength: "1" }, "at most 1 character"],
  ["string", { minLength: "1", maxLength: "1" }, "exactly 1 character"],
  ["[]string", { minItems: "1" }, "at least 1 entry"],
  ["uint32", { minimum: "1" }, "at least 1"],
])("the hint of %s with %j is %j", (type, meta, hint) => {
  expect(hintOf(shapeOf(platform, { type, meta }))).toBe(hint);
});

describe("files", () => {
  const files = readSchema(contractIr("test/fixtures/files/schema.ridl"));
  const shapeOfMethod = (name: string) => {
    const method = findMethod(files, "Depot", name)?.method;
    if (method === undefined) throw new Error(`the fixture has ${name}`);
    return bodyShape(files, method, method.inputs);
  };
  const text = (value: string): Draft => ({ kind: "text", text: value });
  const file = (name: string): Draft => ({ kind: "file", file: new File(["x"], name) });

  test("are sent as parts with the names of their fields, and are null in the JSON", () => {
    const pages: Draft = { kind: "list", items: [file("1.txt"), file("2.txt")] };
    const form: Draft = {
      kind: "struct",
      fields: { title: text("t"), shelf: text("TOP"), image: file("a.png"), pages },
    };
    const draft: Draft = { kind: "struct", fields: { form, note: text("n"), extra: file("b.png") } };
    const body = requestBody(files, shapeOfMethod("Attach"), draft);
    expect([...body.errors]).toEqual([]);
    expect(writeJson(body.node)).toBe(
      '{"form":{"title":"t","shelf":"TOP","image":null,"pages":[null,null]},"note":"n","extra":null}',
    );
    expect(body.files.map(({ name, file: { name: from } }) => [name, from])).toEqual([
      ["image", "a.png"],
      ["pages", "1.txt"],
      ["pages", "2.txt"],
      ["extra", "b.png"],
    ]);
  });

  test.each<[string, (shape: Shape) => Draft]>([
    ["at first", (shape) => firstDraft(files, shape)],
    ["after an example", (shape) => draftOfJson(files, shape, parseJson('{"title":"","picture":null}'))],
    ["after a link", (shape) => draftOfJson(files, shape, parseJson('{"title":""}'))],
  ])("that are required are reported at their fields until they are chosen, %s", (_, draftOf) => {
    const shape = shapeOfMethod("Store");
    const body = requestBody(files, shape, draftOf(shape));
    expect([...body.errors]).toEqual([["/picture", "Choose a file."]]);
    // For the printed code.
    expect(writeJson(body.node)).toBe('{"title":"","picture":null}');
    expect(body.files.map(({ name, file }) => [name, file.name])).toEqual([["picture", "picture.png"]]);
  });

  test("that a list requires are reported at its first item", () => {
    const shape = shapeOfMethod("StoreMany");
    const body = requestBody(files, shape, draftOfJson(files, shape, parseJson("{}")));
    expect([...body.errors]).toEqual([["/files/0", "Choose a file."]]);
    expect(body.files.map(({ name, file }) => [name, file.name])).toEqual([["files", "files.bin"]]);
  });

  test.each([
    ["Store", true],
    ["StoreMany", true],
    ["Submit", true],
    ["Attach", true],
    ["Fetch", false],
    ["Export", false],
  ])("make the request of %s a form: %s", (name, isForm) => {
    expect(hasFiles(files, shapeOfMethod(name))).toBe(isForm);
  });
});
