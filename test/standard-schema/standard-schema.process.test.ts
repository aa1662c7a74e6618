/** Generated Standard Schemas: their types, what they accept, the libraries that take them, and their size. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { Ajv2020 } from "ajv/dist/2020.js";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StandardJsonSchema } from "../../generator/runtime/src/validation.ts";
import { tsc } from "../compile/project.ts";
import { ridlkit } from "../support/program.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));
const made = join(folder, ".made");

/** The packages of `package.json`, which .ci/run installs: `npm ci --prefix test/standard-schema`. */
const isInstalled = existsSync(join(folder, "node_modules"));
if (!isInstalled && process.env["CI"] === "true")
  throw new Error("npm ci --prefix test/standard-schema was not run");

type Schemas = Readonly<Record<string, StandardJsonSchema<unknown, unknown>>>;

/** By form of bigints and timestamps. */
const schemas = new Map<string, Schemas>();

beforeAll(async () => {
  rmSync(made, { recursive: true, force: true });
  mkdirSync(made);
  cpSync(join(folder, "fixtures"), made, { recursive: true });
  writeFileSync(join(made, "package.json"), '{ "type": "module" }');
  const entry = { entry: "schema.ridl", targets: ["standard-schema"] };
  const forms = [
    { ...entry, name: "plain", out: "api" },
    { ...entry, name: "wide", out: "wide", int64: "bigint", timestamps: "Date" },
  ];
  writeFileSync(join(made, "ridlkit.config.json"), JSON.stringify({ schemas: forms }));
  expect(await ridlkit(["generate", "--quiet"], { cwd: made })).toEqual({ code: 0, out: "", err: "" });
  for (const { name, out } of forms)
    schemas.set(name, await load(`export * from "./${out}/standard-json-schema.ts";`));
});

afterAll(() => rmSync(made, { recursive: true, force: true }));

function validate(constant: string, value: unknown, form = "plain") {
  const schema = schemas.get(form)?.[constant];
  if (schema === undefined) throw new Error(`There is no ${constant}.`);
  return schema["~standard"].validate(value);
}

const item = { name: "a", item_label: "b" };
const order = { items: [item], byName: { x: item }, kind: "cat" };
const filled = { ...order, count: 1, inner: { size: 10 } };

describe("accepts", () => {
  test.each<[string, string, unknown, unknown]>([
    [
      "a request, with nested defaults",
      "placeRequestSchema",
      { order, express: true },
      { order: filled, express: true },
    ],
    [
      "given values instead of defaults",
      "orderSchema",
      { ...order, count: 2, inner: { size: 3 } },
      { ...filled, count: 2, inner: { size: 3 } },
    ],
    ["a recursive type", "orderSchema", { ...order, next: order }, { ...filled, next: filled }],
    ["null for an absent field", "orderSchema", { ...order, note: null }, filled],
    ["undefined for an absent field", "orderSchema", { ...order, note: undefined }, filled],
    ["null for a list", "orderSchema", { ...order, items: null }, { ...filled, items: [] }],
    ["another name of a field", "itemSchema", { name: "a", title: "b" }, item],
    ["the number of an enum value", "orderSchema", { ...order, kind: 1 }, { ...filled, kind: "dog" }],
    ["unknown fields, which are removed", "itemSchema", { ...item, more: 1 }, item],
    ["a bigint", "itemSchema", { ...item, price: 5n }, { ...item, price: 5n }],
    ["a bigint as text", "itemSchema", { ...item, price: "5" }, { ...item, price: 5n }],
    ["an enum", "kindSchema", "cat", "cat"],
    ["the number of an enum", "kindSchema", 0, "cat"],
    ["text of an alias", "nameSchema", "abcde", "abcde"],
    ["a list of an alias", "namesSchema", ["a", "b"], ["a", "b"]],
    ["a bigint of an alias", "priceSchema", "1", 1n],
    ["any value", "anythingSchema", { a: [null] }, { a: [null] }],
    ["a key __proto__", "anythingSchema", JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":1}')],
    [
      "a Date as its text",
      "orderSchema",
      { ...order, at: new Date(0) },
      { ...filled, at: "1970-01-01T00:00:00.000Z" },
    ],
  ])("%s", (_, constant, value, expected) => {
    expect(validate(constant, value)).toEqual({ value: expected });
  });

  test("bigints and Dates, if the configuration has them", () => {
    const at = new Date("2025-01-31T12:00:00.120Z");
    const expected = { value: { ...filled, at, big: 2n ** 60n } };
    expect(validate("orderSchema", { ...order, at, big: 2n ** 60n }, "wide")).toEqual(expected);
    expect(validate("orderSchema", { ...order, at: at.toISOString(), big: 5 }, "wide")).toEqual({
      value: { ...filled, at, big: 5n },
    });
  });
});

describe("rejects", () => {
  test.each<[string, string, unknown, readonly (readonly [readonly (string | number)[], string])[]]>([
    [
      "a list item",
      "placeRequestSchema",
      { order: { ...order, items: [item, { ...item, name: "" }] }, express: true },
      [[["order", "items", 1, "name"], 'expected text of 1 to 5 characters, found ""']],
    ],
    [
      "a map entry",
      "orderSchema",
      { ...order, byName: { "a/b": { ...item, name: 1 } } },
      [[["byName", "a/b", "name"], "expected text of 1 to 5 characters, found 1"]],
    ],
    [
      "a renamed field, by its name in JSON",
      "itemSchema",
      { name: "a" },
      [[["item_label"], "expected text, found nothing"]],
    ],
    [
      "a recursive value",
      "orderSchema",
      { ...order, next: { ...order, next: {} } },
      [
        [["next", "next", "items"], "expected a list, found nothing"],
        [["next", "next", "byName"], "expected an object, found nothing"],
        [["next", "next", "kind"], "expected one of cat, dog, found nothing"],
      ],
    ],
    [
      "an unknown enum value",
      "orderSchema",
      { ...order, kind: "bird" },
      [[["kind"], 'expected one of cat, dog, found "bird"']],
    ],
    ["an enum", "kindSchema", "bird", [[[], 'expected one of cat, dog, found "bird"']]],
    [
      "text of an alias",
      "nameSchema",
      "abcdef",
      [[[], 'expected text of 1 to 5 characters, found "abcdef"']],
    ],
    [
      "a bigint of an alias",
      "priceSchema",
      0n,
      [[[], "expected an integer of at least 1, as decimal text or a number up to 2^53 - 1, found 0n"]],
    ],
    [
      "a secret, without quoting it",
      "tokenSchema",
      "ab",
      [[[], "expected text of at least 3 characters, found text"]],
    ],
    [
      "a secret in a list, without its position",
      "tokensSchema",
      ["abc", "ab"],
      [[[], "expected a valid value, found a list"]],
    ],
    ["nothing", "orderSchema", undefined, [[[], "expected an object, found nothing"]]],
    ["nothing for any value", "anythingSchema", undefined, [[[], "expected any value, found nothing"]]],
    ["NUL", "anythingSchema", "\0", [[[], 'expected text without NUL or lone surrogates, found "\\u0000"']]],
    [
      "an invalid Date",
      "orderSchema",
      { ...order, at: new Date(Number.NaN) },
      [[["at"], "expected an RFC 3339 timestamp, such as 2025-01-31T12:00:00Z, found an object"]],
    ],
  ])("%s", (_, constant, value, issues) => {
    const expected = issues.map(([path, message]) => expect.objectContaining({ path, message }));
    expect(validate(constant, value)).toEqual({ issues: expected });
  });

  test.each<[string, () => unknown]>([
    [
      "a cycle",
      () => Object.assign([] as unknown[], { 0: {} }).map((one) => Object.assign(one as object, { one })),
    ],
    ["nesting that overflows the stack", () => JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`)],
    [
      "a getter that throws",
      () => ({
        get items() {
          throw new Error("never");
        },
      }),
    ],
  ])("%s, and does not throw", (_, create) => {
    const message = "expected a value that JSON can represent, found one that cannot be copied";
    expect(validate("anythingSchema", create())).toEqual({
      issues: [expect.objectContaining({ path: [], message })],
    });
  });

  test("65 levels, but not 64", () => {
    const nested = (levels: number): unknown => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);
    expect(validate("anythingSchema", nested(64))).toHaveProperty("value");
    expect(validate("anythingSchema", nested(65))).toMatchObject({
      issues: [{ message: "expected at most 64 levels of nesting, found a list of 0" }],
    });
  });

  test("the first 20 problems", () => {
    const listed = (count: number) =>
      (
        validate(
          "namesSchema",
          Array.from({ length: count }, () => 1),
        ).issues ?? []
      ).length;
    expect([19, 20, 21].map(listed)).toEqual([19, 20, 20]);
  });
});

test("the input stays as it was", () => {
  const input = deepFreeze({
    order: { ...order, items: [{ name: "a", title: "b", price: "5" }] },
    express: true,
  });
  expect(validate("placeRequestSchema", input)).toHaveProperty("value");
});

test("types with files and responses of arguments have no constant", () => {
  const constants = Object.keys(schemas.get("plain") ?? {}).sort();
  expect(constants).toEqual(
    [
      "album",
      "anything",
      "item",
      "kind",
      "name",
      "names",
      "order",
      "page",
      "placeRequest",
      "price",
      "token",
      "tokens",
    ].map((name) => `${name}Schema`),
  );
});

describe("JSON Schema", () => {
  const options = { target: "draft-2020-12" };
  const jsonSchemaOf = (constant: string, form = "plain") => {
    const schema = schemas.get(form)?.[constant];
    if (schema === undefined) throw new Error(`There is no ${constant}.`);
    return schema["~standard"].jsonSchema;
  };
  const accepts = (schema: object, value: unknown): boolean =>
    new Ajv2020({ strict: false, validateFormats: false }).compile(schema)(value);

  test("input describes what validate accepts, and output what it returns", () => {
    const { input, output } = jsonSchemaOf("pageSchema");
    expect(accepts(input(options), {})).toBe(true);
    expect(accepts(output(options), {})).toBe(false);
    expect(accepts(output(options), { size: 10 })).toBe(true);
    expect(accepts(input(options), { size: 256 })).toBe(false);
  });

  test("a recursive type is described, with the types that it uses and no others", () => {
    const schema = jsonSchemaOf("orderSchema").input(options);
    expect(Object.keys(schema["$defs"] as object).sort()).toEqual([
      "Item",
      "Kind",
      "Name",
      "Order",
      "Page",
      "Price",
      "Token",
    ]);
    expect(accepts(schema, { ...order, next: order })).toBe(true);
    expect(accepts(schema, { ...order, next: { ...order, kind: "bird" } })).toBe(false);
    expect(jsonSchemaOf("nameSchema").input(options)).toEqual({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      title: "Name",
      type: "string",
      minLength: 1,
      maxLength: 5,
    });
  });

  test("what is returned may be changed", () => {
    const { input } = jsonSchemaOf("nameSchema");
    input(options)["title"] = "changed";
    expect(input(options)["title"]).toBe("Name");
  });

  test.each([
    ["draft-07", "pageSchema", 'The JSON Schema target "draft-07" is not supported. Use "draft-2020-12".'],
    [
      "draft-2020-12",
      "priceSchema",
      'JSON Schema cannot describe the output of "Price": it contains bigints or Dates.',
    ],
    [
      "draft-2020-12",
      "orderSchema",
      'JSON Schema cannot describe the output of "Order": it contains bigints or Dates.',
    ],
  ])("%s of the output of %s is refused", (target, constant, message) => {
    expect(() => jsonSchemaOf(constant).output({ target })).toThrow(message);
  });
});

describe.runIf(isInstalled)("with the packages of other makers", () => {
  test("the types match the specification and the libraries", () => {
    const config = {
      extends: "../../compile/tsconfig.json",
      compilerOptions: { lib: ["es2023", "dom"], types: [] },
      files: ["types.ts", "consumers.ts"],
    };
    writeFileSync(join(made, "tsconfig.json"), JSON.stringify(config));
    execFileSync(process.execPath, [tsc, "-p", made], { stdio: "inherit" });
  });

  test("TanStack Form, React Hook Form and tRPC report issues at their fields, and pass valid values on", async () => {
    const { tanstackForm, reactHookForm, trpc } = await load<Consumers>('export * from "./consumers.ts";');
    const valid = { order, express: true };
    const items = [item, { ...item, name: "abcdef", code: "a" }];
    const invalid = { order: { ...order, items, inner: { title: "" } }, express: true };
    const message = 'expected text of 1 to 5 characters, found "abcdef"';
    // Texts of the schema, in a list and in a nested struct.
    const [ofCode, ofTitle] = ["Please use capital letters.", "Please give a title."];
    expect(await tanstackForm(valid)).toEqual({ errors: {}, value: valid });
    expect(await tanstackForm(invalid)).toMatchObject({
      errors: {
        "order.items[1].name": [message],
        "order.items[1].code": [ofCode],
        "order.inner.title": [ofTitle],
      },
      value: undefined,
    });
    expect(await reactHookForm(valid)).toEqual({ errors: {}, value: { order: filled, express: true } });
    expect(await reactHookForm(invalid)).toMatchObject({
      errors: {
        order: {
          items: [undefined, { name: { message }, code: { message: ofCode } }],
          inner: { title: { message: ofTitle } },
        },
      },
    });
    expect(await trpc(valid)).toEqual({ errors: {}, value: { title: "1" } });
    expect(await trpc(invalid)).toMatchObject({
      errors: {
        code: "BAD_REQUEST",
        issues: [
          { message, path: ["order", "items", 1, "name"] },
          { message: ofCode, path: ["order", "items", 1, "code"] },
          { message: ofTitle, path: ["order", "inner", "title"] },
        ],
      },
    });
  });
});

interface Outcome {
  readonly errors: object;
  readonly value: unknown;
}

type Consumers = Readonly<
  Record<"tanstackForm" | "reactHookForm" | "trpc", (values: unknown) => Promise<Outcome>>
>;

describe("a bundle", () => {
  test("with one schema has only its validators, and at most 1.35 KB", async () => {
    const text = await bundle('export { albumSchema } from "./api/standard-schema.ts";', true);
    expect(text).toContain("title");
    for (const absent of ["item_label", "express", '"cat"', "$defs"]) expect(text).not.toContain(absent);
    const { length } = gzipSync(text, { level: 9 });
    expect(length).toBeLessThanOrEqual(1_350);
  });

  test("with one JSON Schema has no other", async () => {
    const text = await bundle('export { albumSchema } from "./api/standard-json-schema.ts";', true);
    expect(text).toContain("$defs");
    for (const absent of ["item_label", "express"]) expect(text).not.toContain(absent);
  });

  test("with nothing in use is empty", async () => {
    expect(await bundle('import "./api/standard-json-schema.ts";', true)).toBe("");
  });
});

async function bundle(contents: string, minify: boolean): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: made, loader: "ts" },
    absWorkingDir: made,
    bundle: true,
    minify,
    format: "esm",
    platform: "node",
    write: false,
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}

let count = 0;

async function load<Module = Schemas>(contents: string): Promise<Module> {
  const path = join(made, `bundle${count++}.mjs`);
  writeFileSync(path, await bundle(contents, false));
  return import(pathToFileURL(path).href);
}

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value))
    if (typeof inner === "object" && inner !== null) deepFreeze(inner);
  return Object.freeze(value);
}
