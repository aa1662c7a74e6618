/** What all common generators need: names that stay different as identifiers, and schemas from which they make types. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { emitOpenapi } from "../../generator/codegen/emit/openapi/index.ts";
import { readPage, root } from "../support/docs.ts";
import { platformPlan } from "../support/platform-plan.ts";
import { type Document, openapiDocument, openapiText, type Schema } from "./documents.ts";
import { everySchema, helloSchema } from "./servers.ts";

const order = `webrpc = v1
name = t
version = v1
basepath = /
struct Order
  - id: uint32
  - count: uint8
    + default = 1
  - note?: string
service S
  - Order(order: Order) => (order: Order)
  - Re_Order(order: Order)
  - ReOrder(order: Order)
  @readonly
  @cache:60s
  - Find(id: uint32) => (order: Order)
  - FindGet(id: uint32)
service User
  - OrderCreate()
service UserOrder
  - Create()
service USER_ORDER
  - CREATE()
`;

const documents = (["3.0", "3.1", "3.2"] as const).flatMap((version) =>
  Object.entries({
    hello: openapiText(helloSchema, "number", { version }),
    order: openapiText(order, "number", { version }),
    every: openapiText(everySchema, "bigint", { version }),
    platform: emitOpenapi(platformPlan(), { version })[0]?.text ?? "",
  }).map(([schema, text]) => ({ schema, version, document: parse(text) as Document })),
);

describe.each(documents)("$schema, in OpenAPI $version", ({ version, document }) => {
  const names = Object.values(document.components).flatMap((part) => Object.keys(part));

  test("names differ in letters and digits, ignoring case", () => {
    const keys = names.map((name) => name.replaceAll(/[^A-Za-z0-9]/g, "").toLowerCase());
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
    expect(names.filter((name) => !/^[A-Za-z][A-Za-z0-9_]*$/.test(name))).toEqual([]);
  });

  test("so do the identifiers of operations", () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    // A path can also have an extension, which has no identifier.
    const keys = operations.flatMap(({ operationId }) =>
      operationId === undefined ? [] : operationId.replaceAll(/[^A-Za-z0-9]/g, "").toLowerCase(),
    );
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  });

  test("each schema has one type, or can be null", () => {
    for (const schema of schemasOf(document)) {
      const types = [schema.type ?? []].flat();
      expect(types.filter((type) => type !== "null").length, JSON.stringify(schema)).toBeLessThanOrEqual(1);
      // Numbers are constants, such as the codes of errors.
      const forms = new Set(schema.enum?.map((value) => (typeof value === "number" ? "integer" : "string")));
      if (schema.enum !== undefined) expect([...forms]).toEqual([schema.type]);
      expect(schema).not.toHaveProperty("title");
      if (version === "3.0")
        expect(
          Object.keys(schema).filter((key) => newer.includes(key) || Array.isArray(schema.type)),
        ).toEqual([]);
    }
  });
});

/** Keywords that OpenAPI 3.0 lacks. */
const newer: readonly string[] = [
  ...["const", "examples", "propertyNames", "contentEncoding", "contentMediaType", "patternProperties"],
  ...["$defs", "if", "prefixItems", "unevaluatedProperties"],
];

/** All schemas of a document, with those inside of them. */
function schemasOf(part: unknown, isSchema = false): readonly Schema[] {
  if (typeof part !== "object" || part === null) return [];
  if (Array.isArray(part)) return part.flatMap((item) => schemasOf(item, isSchema));
  const inner = Object.entries(part).flatMap(([key, value]) => {
    if (["schemas", "properties"].includes(key) && typeof value === "object" && value !== null)
      return Object.values(value as object).flatMap((schema) => schemasOf(schema, true));
    const isHolder = ["schema", "items", "additionalProperties", "not", "allOf", "anyOf", "oneOf"].includes(
      key,
    );
    return schemasOf(value, isHolder);
  });
  return isSchema ? [part as Schema, ...inner] : inner;
}

test("OpenAPI 3.0 has its own keywords for null, constants, examples and bytes", () => {
  const schema = `webrpc = v1
name = t
version = v1
basepath = /
enum Kind: uint8
  - cat
struct Pet
  - name: string
    + example = "Tom"
  - bytes: []byte
  - owner?: string
    + nullable = always
  - kind?: Kind
    + nullable = always
  - gone: null
error 1 Gone "gone" HTTP 410
service S
  - Get(pet: Pet) => (pet: Pet) errors Gone
`;
  const { schemas } = (parse(openapiText(schema, "number", { version: "3.0" })) as Document).components;
  expect(schemas["Pet"]?.properties).toMatchObject({
    name: { type: "string", example: "Tom" },
    bytes: { type: "string", format: "byte" },
    owner: { type: "string", nullable: true },
    kind: { nullable: true, allOf: [{ $ref: "#/components/schemas/Kind" }] },
    gone: { nullable: true, enum: [null] },
  });
  expect(schemas["GoneError"]?.properties).toMatchObject({ error: { type: "string", enum: ["Gone"] } });
});

test("docs/openapi.md names the versions of generators that are tested", () => {
  const read = (path: string): string => readFileSync(join(root, "test/openapi", path), "utf8");
  const { packages } = JSON.parse(read("package-lock.json")) as {
    readonly packages: Readonly<Record<string, { readonly version?: string }>>;
  };
  const page = readPage("docs/openapi.md");
  for (const [name, version] of Object.entries({
    "oapi-codegen": /oapi-codegen\/v2 v(\S+)/.exec(read("go/go.mod"))?.[1],
    "openapi-python-client": /openapi-python-client==(\S+)/.exec(read("requirements.txt"))?.[1],
    orval: packages["node_modules/orval"]?.version,
    "hey-api": packages["node_modules/@hey-api/openapi-ts"]?.version,
  }))
    expect(page).toContain(`${name} ${version}`);
});

test("a component of a kind rejects the fields of other kinds, as servers do", async () => {
  const { components } = openapiDocument(`webrpc = v1
name = pay
version = v1.0.0
basepath = /rpc

enum Kind: string
  - card
  - cash
  - iban

struct Pay
  - kind: Kind
  - number?: string
    + when = kind.card
  - iban?: string
    + when = kind.iban

service Tills
  - Take(pay: Pay) => ()
`);
  const validate = new Ajv2020({ strict: false }).compile({
    $ref: "#/components/schemas/Pay",
    components: components as object,
  });
  expect(validate({ kind: "card", number: "1" })).toBe(true);
  expect(validate({ kind: "cash" })).toBe(true);
  expect(validate({ kind: "card", number: "1", iban: "x" })).toBe(false);
  expect(validate({ kind: "cash", number: "1" })).toBe(false);
});
