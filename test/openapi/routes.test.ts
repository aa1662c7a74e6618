/** The OpenAPI documents of schemas with routes. */
import { describe, expect, test } from "vitest";
import { openapiVersions } from "../../generator/codegen/options.ts";
import {
  type Document,
  type Operation,
  openapiDocument,
  openapiText,
  type Parameter,
  routedSchemas,
} from "./documents.ts";
import { isInstalled, validate } from "./tools.ts";

test("the document of the fixture matches its reviewed file", async () => {
  await expect(openapiText(routedSchemas.items, "number")).toMatchFileSnapshot("golden/routes.yaml");
});

test.runIf(isInstalled).each(Object.entries(routedSchemas))("%s is valid", async (_name, schema) => {
  for (const int64 of ["number", "bigint"] as const)
    for (const version of openapiVersions) {
      const { valid, errors } = await validate(openapiText(schema, int64, { version }));
      expect(errors ?? []).toEqual([]);
      expect(valid).toBe(true);
    }
});

test("OpenAPI 3.2 has the key `query`, and is the same otherwise", () => {
  const older = openapiText(routedSchemas.parks, "number");
  const newer = openapiText(routedSchemas.parks, "number", { version: "3.2" });
  const note = /^ {4}description: "`x-query` is the operation .*\n/m;
  expect(older).toMatch(note);
  expect(newer).toBe(
    older
      .replace('openapi: "3.1.0"', 'openapi: "3.2.0"')
      .replace(note, "")
      .replace("    x-query:\n", "    query:\n"),
  );
});

test("the document of reads matches its reviewed file", async () => {
  await expect(openapiText(routedSchemas.reads, "number")).toMatchFileSnapshot("golden/reads.yaml");
});

test.each([
  ["3.1", ["post", "get"]],
  ["3.2", ["post", "get", "query"]],
] as const)("OpenAPI %s describes a read without a route by %j", (version, keys) => {
  const text = openapiText(routedSchemas.reads, "number", { version, format: "json" });
  const { post, get, query, ...others } = (JSON.parse(text) as Document).paths["/rpc/Shop/GetOrder"] ?? {};
  expect(others).toEqual({});
  expect(Object.keys({ ...(post && { post }), ...(get && { get }), ...(query && { query }) })).toEqual(keys);
  expect(get?.parameters?.map(({ name }) => name)).toEqual(["q"]);
  if (version === "3.1") return;
  expect(query).toMatchObject({ operationId: "Shop_GetOrder_Query", requestBody: post?.requestBody });
  const { 414: _longTarget, 431: _longHead, ...responses } = get?.responses ?? {};
  expect(query?.responses).toEqual(responses);
});

const document = openapiDocument(routedSchemas.parks);
const { schemas, responses } = document.components;

function operation(path: string, key: string): Operation {
  const found = document.paths[path]?.[key];
  if (found === undefined) throw new Error(`no ${key} of ${path}`);
  return found;
}

function parameter(name: string, from = document): Parameter {
  const { parameters = [] } = from.paths["/api/parks/{park}/paths"]?.["get"] ?? {};
  const found = parameters.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no parameter ${name}`);
  return found;
}

describe("paths", () => {
  test("methods of one path share its item, and methods without a route have their default path", () => {
    const verbs = Object.entries(document.paths).map(([path, item]) => [path, Object.keys(item)]);
    expect(verbs).toEqual([
      ["/api/parks/{park}/paths", ["get", "post"]],
      ["/api/parks/{park}/paths/{id}", ["description", "put", "patch", "delete", "x-query"]],
      ["/api/parks/{park}/close", ["post"]],
      ["/api/Parks/Unrouted", ["post"]],
    ]);
  });

  test("a parameter with another name in the same path gets the name in the path", () => {
    const { parameters = [] } = operation("/api/parks/{park}/paths/{id}", "delete");
    expect(parameters.map((one) => [one.name, one.in, one.required])).toEqual([
      ["park", "path", true],
      ["id", "path", true],
      ["isSure", "query", true],
    ]);
  });

  test("QUERY is an extension, with a note", () => {
    const item: Readonly<Record<string, unknown>> = document.paths["/api/parks/{park}/paths/{id}"] ?? {};
    expect(item["description"]).toBe(
      "`x-query` is the operation of the HTTP method QUERY, which OpenAPI 3.1 lacks.",
    );
    expect(item["x-query"]).toMatchObject({
      operationId: "Parks_Look",
      parameters: [{ name: "park" }, { name: "id" }, { name: "sky", in: "query", required: false }],
      responses: { "200": expect.any(Object) },
    });
    expect(item["x-query"]).not.toHaveProperty("requestBody");
  });
});

test("tags, identifiers, security, errors and annotations are as without routes", () => {
  expect(operation("/api/parks/{park}/paths", "get")).toMatchObject({
    operationId: "Parks_Find",
    tags: ["Parks"],
    description: "Finds paths.",
    security: [{ key: [] }],
    "x-idempotent": true,
    "x-annotations": { auth: "key", readonly: true },
  });
  expect(
    Object.keys(operation("/api/parks/{park}/paths", "get").responses).filter((status) => status !== "304"),
  ).toEqual(Object.keys(operation("/api/Parks/Unrouted", "post").responses));
  expect(operation("/api/parks/{park}/paths/{id}", "delete")).toMatchObject({
    deprecated: true,
    description: "Removes a path.\nDeprecated: use Close",
  });
});

test("the response to another verb has the header Allow, in documents with routes only", () => {
  expect(responses["Status405"]).toMatchObject({
    headers: { Allow: { schema: { type: "string" } } },
    content: { "application/json": expect.any(Object) },
  });
  const unrouted = "webrpc = v1\nname = t\nversion = v1\nbasepath = /\nservice S\n  - Ping()\n";
  expect(openapiDocument(unrouted).components.responses["Status405"]).not.toHaveProperty("headers");
});

describe("parameters", () => {
  test("text, with the documentation of the field and a reference to the alias", () => {
    expect(parameter("park")).toEqual({
      name: "park",
      in: "path",
      required: true,
      description: "The park to search.",
      schema: { $ref: "#/components/schemas/Slug" },
    });
    expect(schemas["Slug"]).toMatchObject({ pattern: "^[a-z-]+$", maxLength: 20, examples: ["red-rocks"] });
  });

  test("an enum by its texts, and never by a number", () => {
    const pace = { $ref: "#/components/schemas/Pace" };
    expect(schemas["Pace"]).toEqual({
      description: "How visitors move.\n- walk: On foot.",
      type: "string",
      enum: ["walk", "Run"],
    });
    expect(parameter("paces")).toEqual({
      name: "paces",
      in: "query",
      required: false,
      description: "The ways to move.",
      style: "form",
      explode: true,
      schema: { type: "array", items: pace },
    });
    expect(parameter("some").schema).toEqual({ type: "array", items: pace, maxItems: 2 });
    expect(parameter("slowest")).toMatchObject({ required: false, schema: { ...pace, default: "walk" } });
    expect(parameter("skies").schema.items).toEqual({ $ref: "#/components/schemas/Sky" });
  });

  test("a list is required only if an empty one is invalid", () => {
    expect(parameter("skies")).toMatchObject({ required: true, schema: { minItems: 1 } });
    expect(parameter("some").required).toBe(false);
    expect(parameter("tail").required).toBe(false);
  });

  test("only the form of the type, without the others that JSON may have", () => {
    expect(parameter("count").schema).toEqual({ $ref: "#/components/schemas/Count" });
    expect(schemas["Count"]).toMatchObject({ type: "integer", minimum: 0, maximum: 100, examples: [7] });
    expect(parameter("open")).toMatchObject({ required: false, schema: { type: "boolean" } });
    expect(parameter("note")).toEqual({
      name: "note",
      in: "query",
      required: false,
      schema: { type: "string" },
    });
  });

  test("limits, examples, defaults and deprecation", () => {
    expect(parameter("near").schema).toEqual({
      type: "number",
      format: "double",
      minimum: -90,
      maximum: 90,
      examples: [12.5],
    });
    expect(parameter("page")).toMatchObject({ required: false, schema: { maximum: 65_535, default: 1 } });
    expect(parameter("token").schema).toEqual({ type: "string", examples: ["abc"] });
    expect(parameter("since")).toMatchObject({
      deprecated: true,
      description: "Deprecated: use from",
      schema: { type: "string", format: "date-time" },
    });
  });

  test("64-bit integers as numbers", () => {
    const safe = Number.MAX_SAFE_INTEGER;
    expect(parameter("from")).toMatchObject({
      description: "The first number.\nCounted from zero.",
      schema: { type: "integer", minimum: -5, maximum: safe },
    });
    expect(parameter("to")).toEqual({
      name: "to",
      in: "query",
      required: false,
      schema: { type: "integer", format: "int64", minimum: 0, maximum: safe },
    });
  });

  test("64-bit integers as bigints, with a note", () => {
    const wide = openapiDocument(routedSchemas.parks, "bigint");
    expect(parameter("from", wide)).toMatchObject({
      description: "The first number.\nCounted from zero.\nDecimal digits, up to 64 bits.",
      schema: { type: "integer", format: "int64", minimum: -5 },
    });
    expect(parameter("tail", wide)).toMatchObject({
      description: "Decimal digits, up to 64 bits.",
      schema: { type: "array", items: { type: "integer", format: "uint64", minimum: 0 } },
    });
    expect(parameter("count", wide)).not.toHaveProperty("description");
  });
});

describe("bodies", () => {
  const body = (path: string, key: string) => operation(path, key).requestBody;
  const json = (schema: unknown, required = true) => ({
    required,
    content: { "application/json": { schema } },
  });

  test("GET and DELETE have none, and their arguments have no definition", () => {
    expect(body("/api/parks/{park}/paths", "get")).toBeUndefined();
    expect(body("/api/parks/{park}/paths/{id}", "delete")).toBeUndefined();
    expect(schemas).not.toHaveProperty("ParksRemoveInput");
    expect(schemas).not.toHaveProperty("ParksLookInput");
    expect(schemas).toHaveProperty("Search");
  });

  test("the fields of the path are not part of it", () => {
    expect(body("/api/parks/{park}/paths", "post")).toEqual(
      json({ $ref: "#/components/schemas/ParksAddInput" }),
    );
    expect(schemas["ParksAddInput"]).toMatchObject({
      properties: { trail: { $ref: "#/components/schemas/Trail" } },
      required: ["trail"],
    });
    expect(Object.keys(schemas["ParksAddInput"]?.properties ?? {})).toEqual(["trail"]);
  });

  test("a struct of the schema keeps its definition", () => {
    const schema = body("/api/parks/{park}/paths/{id}", "put")?.content["application/json"]?.schema;
    expect(Object.keys(schema?.properties ?? {})).toEqual(["name", "trails", "pace"]);
    expect(schema).toMatchObject({
      type: "object",
      properties: { trails: { type: "array", items: { $ref: "#/components/schemas/Trail" } } },
      required: ["name", "trails"],
    });
    expect(Object.keys(schemas["Change"]?.properties ?? {})).toContain("park");
  });

  test("without fields, an optional empty object", () => {
    expect(body("/api/parks/{park}/close", "post")).toEqual(
      json({ $ref: "#/components/schemas/ParksCloseInput" }, false),
    );
    expect(schemas["ParksCloseInput"]).toEqual({ type: "object" });
  });

  test("methods without a route have all fields", () => {
    expect(schemas["ParksUnroutedInput"]?.required).toEqual(["park"]);
  });
});
