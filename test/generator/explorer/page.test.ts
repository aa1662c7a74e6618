/** The logic of the page on small contracts: what its fields, texts and requests are. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { filesByPath } from "../../../generator/codegen/runtime/v1/explorer-files.ts";
import {
  type AdviceContext,
  adviceFor,
  assignToFields,
  type Failure,
} from "../../../generator/explorer/page/call/advice.ts";
import { clientCode, queryCode } from "../../../generator/explorer/page/call/client-code.ts";
import { fetchCode } from "../../../generator/explorer/page/call/fetch-code.ts";
import type { KeyInfo } from "../../../generator/explorer/page/call/host-info.ts";
import {
  type CallParts,
  type CallRequest,
  curlOf,
  requestOf,
  variableOf,
} from "../../../generator/explorer/page/call/request.ts";
import { stalenessOf } from "../../../generator/explorer/page/call/staleness.ts";
import { type Draft, draftOfJson, firstDraft } from "../../../generator/explorer/page/form/draft.ts";
import { hintOf } from "../../../generator/explorer/page/form/hint.ts";
import { requestBody } from "../../../generator/explorer/page/form/request-body.ts";
import { parseJson, printJson, writeJson } from "../../../generator/explorer/page/json/node.ts";
import {
  addressOf,
  docsOf,
  type Ir,
  type IrMethod,
  type IrType,
  isRead,
  readSchema,
  type Schema,
  type ServiceMethod,
} from "../../../generator/explorer/page/schema/ir.ts";
import { firstSentence, indexOf, search } from "../../../generator/explorer/page/schema/search.ts";
import {
  bodyShape,
  entryOf,
  hasFiles,
  metaOf,
  type Shape,
  shapeOf,
} from "../../../generator/explorer/page/schema/shape.ts";
import { pageTexts } from "../../../generator/explorer/page-texts.ts";
import { folder } from "../../support/program.ts";

const types: readonly IrType[] = [
  {
    kind: "enum",
    name: "Kind",
    type: "string",
    fields: [{ name: "unknown" }, { name: "CAT", value: "cat" }, { name: "DOG" }],
  },
  {
    kind: "enum",
    name: "Size",
    type: "uint8",
    fields: [
      { name: "S", value: "1", meta: [{ json: "small" }] },
      { name: "L", value: "2" },
    ],
  },
  { kind: "alias", name: "Short", type: "string", meta: [{ maxLength: "5" }, { example: "ab" }] },
  { kind: "alias", name: "Shorter", type: "Short", meta: [{ maxLength: "3" }, { maxLength: "9" }] },
  {
    kind: "struct",
    name: "Pet",
    fields: [
      { name: "id", type: "uint64", meta: [{ minimum: "1" }] },
      { name: "nick", type: "Shorter", meta: [{ json: "nickName,omitempty" }] },
      { name: "secret", type: "string", meta: [{ json: "-" }] },
      { name: "plain", type: "string", meta: [{ json: ",string" }], optional: true },
      { name: "kind", type: "Kind" },
      { name: "friends", type: "[]Pet", optional: true },
    ],
  },
  { kind: "struct", name: "Empty" },
];

const method = (name: string, more: Partial<IrMethod> = {}): IrMethod => ({
  name,
  inputs: [{ name: "pet", type: "Pet" }],
  outputs: [],
  ...more,
});

const ir: Ir = {
  name: "shop",
  version: "v1",
  types,
  services: [
    { name: "Pets", path: "/pets/", methods: [method("GetPet"), method("PutPet")] },
    { name: "API", methods: [method("PutPet"), method("Watch", { streamOutput: true })] },
  ],
};

const schema = readSchema(ir);
const use = (type: string, meta: Readonly<Record<string, string>> = {}): Shape =>
  shapeOf(schema, { type, meta });

describe("the shape of a type", () => {
  test.each<[string, object]>([
    ["string", { kind: "text" }],
    ["bool", { kind: "bool" }],
    ["byte", { kind: "integer" }],
    ["uint64", { kind: "integer" }],
    ["float32", { kind: "decimal" }],
    ["bigint", { kind: "bigint" }],
    ["timestamp", { kind: "timestamp" }],
    ["null", { kind: "null" }],
    ["any", { kind: "any" }],
    ["file", { kind: "file" }],
    ["Gone", { kind: "any" }],
    ["[]byte", { kind: "text", meta: { contentEncoding: "base64" } }],
    [" []Kind", { kind: "list", item: { type: "Kind" } }],
    ["[][]byte", { kind: "list", item: { type: "[]byte" } }],
    ["map<string,[]Pet>", { kind: "map", key: { type: "string" }, value: { type: "[]Pet" } }],
    ["map<string, map<Kind,int>>", { kind: "map", value: { type: "map<Kind,int>" } }],
    ["Empty", { kind: "struct", name: "Empty", fields: [] }],
    ["Short", { kind: "text", meta: { maxLength: "5", example: "ab" } }],
    ["Shorter", { kind: "text", meta: { maxLength: "3", example: "ab" } }],
    ["Kind", { kind: "enum", values: [{ wire: "unknown" }, { wire: "cat" }, { wire: "DOG" }] }],
    ["Size", { kind: "enum", values: [{ wire: "small" }, { wire: "L" }] }],
    [
      "Pet",
      {
        kind: "struct",
        fields: [
          { name: "id", isOptional: false, reference: { type: "uint64", meta: { minimum: "1" } } },
          { name: "nickName", isOptional: false },
          { name: "plain", isOptional: true },
          { name: "kind", isOptional: false },
          { name: "friends", isOptional: true },
        ],
      },
    ],
  ])("%s", (type, expected) => {
    expect(use(type)).toMatchObject(expected);
  });

  test("the keys of a field go before those of its aliases", () => {
    expect(use("Shorter", { maxLength: "1" }).meta).toEqual({ maxLength: "1", example: "ab" });
    expect(use("[]byte", { contentEncoding: "hex" }).meta).toEqual({ contentEncoding: "hex" });
  });

  test("chains of aliases are followed to their end, and circles end", () => {
    const chain = Array.from({ length: 201 }, (_, index): IrType => {
      const type = index === 200 ? "string" : `A${index + 1}`;
      return { kind: "alias", name: `A${index}`, type };
    });
    const circle: readonly IrType[] = [
      { kind: "alias", name: "B0", type: "B1" },
      { kind: "alias", name: "B1", type: "B0" },
    ];
    const schema = readSchema({ ...ir, types: [...chain, ...circle] });
    expect(shapeOf(schema, { type: "A0", meta: {} }).kind).toBe("text");
    expect(shapeOf(schema, { type: "B0", meta: {} }).kind).toBe("any");
  });

  test("the first of repeated keys counts", () => {
    expect(metaOf([{ a: "1" }, { b: "2", a: "3" }])).toEqual({ a: "1", b: "2" });
    expect(metaOf(undefined)).toEqual({});
  });

  test.each([
    ["map<string,int>", ["string", "int"]],
    ["map<string>", undefined],
    ["maps<string,int>", undefined],
  ])("the entries of %s", (type, expected) => {
    expect(entryOf(type)).toEqual(expected);
  });
});

describe("the body of a method", () => {
  const fields = (more: Partial<IrMethod>): readonly string[] => {
    const one = method("M", more);
    return bodyShape(schema, one, one.inputs).fields.map(
      ({ name, isOptional }) => `${name}${isOptional ? "?" : ""}`,
    );
  };

  test.each<[string, Partial<IrMethod>, readonly string[]]>([
    ["arguments", {}, ["pet"]],
    ["an optional argument", { inputs: [{ name: "a", type: "string", optional: true }] }, ["a?"]],
    ["none", { inputs: [] }, []],
    ["a succinct struct", { succinct: true }, ["id", "nickName", "plain?", "kind", "friends?"]],
    ["a succinct form of another type", { succinct: true, inputs: [{ name: "a", type: "Kind" }] }, ["a"]],
    ["a succinct form of nothing", { succinct: true, inputs: [] }, []],
  ])("has %s", (_case, more, expected) => {
    expect(fields(more)).toEqual(expected);
  });

  const withFiles = (fieldType: string): Schema =>
    readSchema({
      ...ir,
      types: [
        { kind: "struct", name: "Form", fields: [{ name: "f", type: fieldType }] },
        { kind: "struct", name: "Outer", fields: [{ name: "form", type: "Form" }] },
        { kind: "struct", name: "Outermost", fields: [{ name: "outer", type: "Outer" }] },
      ],
    });

  test.each([
    ["file", "Form", true],
    ["[]file", "Form", true],
    ["string", "Form", false],
    ["file", "Outer", true],
    ["[]file", "Outer", true],
    ["file", "Outermost", false],
    ["Form", "Form", false],
  ])("a field of type %s in %s is sent in a form: %s", (fieldType, type, expected) => {
    const own = withFiles(fieldType);
    expect(hasFiles(own, shapeOf(own, { type, meta: {} }))).toBe(expected);
  });
});

const text = (value: string): Draft => ({ kind: "text", text: value });

describe("a form", () => {
  test.each<[string, Readonly<Record<string, string>>, string]>([
    ["string", {}, ""],
    ["string", { example: "e", default: "d" }, "e"],
    ["string", { default: "d" }, "d"],
    ["string", { example: "" }, ""],
    ["int8", {}, "0"],
    ["int8", { minimum: "3" }, "3"],
    ["float32", { minimum: "0.5" }, "0.5"],
    ["bigint", {}, "0"],
    ["bool", {}, "false"],
    ["timestamp", {}, "2026-01-31T12:00:00Z"],
    ["any", {}, "{}"],
    ["null", {}, "null"],
    ["Kind", {}, "cat"],
    ["Size", {}, "small"],
    ["Short", {}, "ab"],
  ])("begins %s %j with %j", (type, meta, expected) => {
    expect(firstDraft(schema, use(type, meta))).toEqual(text(expected));
  });

  test("begins an enum of unknown alone with that value, and one without values with nothing", () => {
    const own = readSchema({
      ...ir,
      types: [
        { kind: "enum", name: "A", type: "string", fields: [{ name: "unknown" }] },
        { kind: "enum", name: "B", type: "string" },
      ],
    });
    const first = (type: string): Draft => firstDraft(own, shapeOf(own, { type, meta: {} }));
    expect([first("A"), first("B")]).toEqual([text("unknown"), text("")]);
  });

  test("begins with required fields, an item of each list, and no entry of a map", () => {
    expect(firstDraft(schema, use("Pet"))).toEqual({
      kind: "struct",
      fields: {
        id: text("1"),
        nickName: text("ab"),
        plain: { kind: "absent" },
        kind: text("cat"),
        friends: { kind: "absent" },
      },
    });
    expect(firstDraft(schema, use("[]Kind"))).toEqual({ kind: "list", items: [text("cat")] });
    expect(firstDraft(schema, use("map<string,Kind>"))).toEqual({ kind: "map", entries: [] });
  });

  test("ends seven levels below a struct that requires itself", () => {
    const own = readSchema({
      ...ir,
      types: [{ kind: "struct", name: "Loop", fields: [{ name: "loop", type: "Loop" }] }],
    });
    const depth = (draft: Draft | undefined): number =>
      draft?.kind === "struct" ? 1 + depth(draft.fields["loop"]) : 0;
    expect(depth(firstDraft(own, shapeOf(own, { type: "Loop", meta: {} })))).toBe(8);
  });

  test.each<[string, string, unknown]>([
    ["file", '"x"', { kind: "absent" }],
    ["any", '{"a":[1,2]}', text(printJson(parseJson('{"a":[1,2]}')))],
    ["any", "null", text("null")],
    ["null", "null", text("null")],
    ["string", "null", { kind: "absent" }],
    ["string", "true", text("true")],
    ["string", "1.50", text("1.50")],
    ["string", "[1]", text("[1]")],
    ["Pet", "[]", text("[]")],
    ["[]Kind", '["cat",null]', { kind: "list", items: [text("cat"), { kind: "absent" }] }],
    ["[]Kind", '"cat"', text("cat")],
    ["map<string,int>", '{"a":1}', { kind: "map", entries: [{ key: "a", value: text("1") }] }],
    ["map<string,int>", "[]", text("[]")],
  ])("shows %s of the JSON %s", (type, json, expected) => {
    expect(draftOfJson(schema, use(type), parseJson(json))).toEqual(expected);
  });

  test("drops fields that it cannot show", () => {
    expect(draftOfJson(schema, use("Pet"), parseJson('{"id":1,"other":2}'))).toMatchObject({
      fields: { id: text("1"), kind: { kind: "absent" } },
    });
  });

  test.each<[string, string, string, string | undefined]>([
    ["integer", "int8", "42", undefined],
    ["integer", "int8", "-0", undefined],
    ["integer", "int8", "01", "Enter an integer, such as 42."],
    ["integer", "int8", "1.5", "Enter an integer, such as 42."],
    ["integer", "int8", "", "Enter an integer, such as 42."],
    ["number", "float64", "42", undefined],
    ["number", "float64", "-0.5e+10", undefined],
    ["number", "float64", ".5", "Enter a number, such as 0.5."],
    ["number", "float64", "1e", "Enter a number, such as 0.5."],
    ["boolean", "bool", "false", undefined],
    ["boolean", "bool", "yes", "Choose true or false."],
    ["file", "file", "a.txt", "Choose a file."],
    ["any JSON", "any", '{"a":', 'Enter JSON, such as {"a": 1} or "text": line 1: unexpected end.'],
    ["a struct as JSON", "Pet", '{"id":1}', undefined],
    ["a list as JSON", "[]Kind", "[", 'Enter JSON, such as {"a": 1} or "text": line 1: unexpected end.'],
  ])("reads a text as %s", (_case, type, written, message) => {
    const { node, errors } = requestBody(schema, use(type), text(written));
    expect([...errors]).toEqual(message === undefined ? [] : [["", message]]);
    if (message === undefined) expect(writeJson(node)).toBe(written);
  });

  test.each<[string, Draft, string]>([
    ["an optional field that is blank", text(""), "{}"],
    ["an optional field that is absent", { kind: "absent" }, "{}"],
    ["an optional field", text("x"), '{"plain":"x"}'],
  ])("leaves out %s", (_case, plain, expected) => {
    const draft: Draft = { kind: "struct", fields: { plain } };
    expect(writeJson(requestBody(schema, use("Pet"), draft).node)).toBe(expected);
  });

  test("sends a required field that is blank, and no absent items and entries", () => {
    const draft: Draft = {
      kind: "struct",
      fields: {
        nickName: text(""),
        kind: { kind: "absent" },
        friends: { kind: "list", items: [{ kind: "absent" }] },
      },
    };
    expect(writeJson(requestBody(schema, use("Pet"), draft).node)).toBe('{"nickName":"","friends":[]}');
    const map: Draft = {
      kind: "map",
      entries: [
        { key: "a", value: { kind: "absent" } },
        { key: "b", value: text("1") },
      ],
    };
    expect(writeJson(requestBody(schema, use("map<string,int>"), map).node)).toBe('{"b":1}');
  });

  test.each<[string, Readonly<Record<string, string>>, string]>([
    ["string", {}, ""],
    ["string", { minLength: "1" }, "at least 1 characters"],
    ["string", { maxLength: "9" }, "at most 9 characters"],
    ["[]Kind", { minItems: "1", maxItems: "2" }, "1 to 2 entries"],
    ["int8", { minimum: "0" }, "integer · at least 0"],
    ["float64", { maximum: "1" }, "number · at most 1"],
    ["bigint", { minimum: "0", maximum: "9", default: "" }, "integer of any size · 0 to 9 · default: "],
    ["[]byte", {}, "base64"],
    ["any", {}, "any JSON value"],
  ])("hints at %s %j: %s", (type, meta, expected) => {
    expect(hintOf(use(type, meta))).toBe(expected);
  });
});

describe("JSON on the page", () => {
  test.each([
    ["[]", "[]"],
    ["{}", "{}"],
    ["[1,2]", "[1, 2]"],
    ['{"a":1}', '{ "a": 1 }'],
    ['{"a":[1]}', '{\n  "a": [1]\n}'],
    ["[[1],[2]]", "[\n  [1],\n  [2]\n]"],
    ["[1.5,true,null]", "[1.5, true, null]"],
    [`["${"x".repeat(56)}"]`, `["${"x".repeat(56)}"]`],
    [`["${"x".repeat(57)}"]`, `[\n  "${"x".repeat(57)}"\n]`],
  ])("%s is printed as %j", (written, expected) => {
    expect(printJson(parseJson(written))).toBe(expected);
  });

  test.each([
    ['{\n"a" 1}', 'line 2: unexpected "1}"', 2],
    ["[1,\n\n", "line 3: unexpected end", 3],
    ["nulls and some more text", 'line 1: unexpected "s and some m"', 1],
  ])("%j is refused: %s", (written, message, line) => {
    expect(() => parseJson(written)).toThrow(expect.objectContaining({ message, line }));
  });
});

const keys: readonly KeyInfo[] = [
  { name: "accessKey", title: "Access key", header: "X-Access-Key", help: "Paste one." },
  { name: "secretKey", title: "Secret key", header: "Authorization", prefix: "BEARER ", isSecret: true },
];

const parts: CallParts = {
  server: "http://h",
  network: "",
  verb: "POST",
  path: "/rpc/A/B",
  keys,
  keyValues: {},
  body: "{}",
};

describe("a request", () => {
  test.each<[string, Partial<CallParts>, object]>([
    ["JSON", {}, { url: "http://h", headers: { "content-type": "application/json" } }],
    ["no body", { body: undefined }, { headers: {} }],
    ["a form", { files: [] }, { headers: {} }],
    ["a network", { network: "a b" }, { url: "http://h/a%20b" }],
    ["a blank key", { keyValues: { accessKey: "  " } }, { headers: { "content-type": "application/json" } }],
    [
      "both keys",
      { keyValues: { accessKey: " a ", secretKey: "s" }, body: undefined },
      { headers: { "x-access-key": "a", authorization: "BEARER s" } },
    ],
    ["more headers", { more: { a: " 1 ", b: " " }, body: undefined }, { headers: { a: "1" } }],
    [
      "a key in place of another header",
      { more: { authorization: "x" }, keyValues: { secretKey: "s" }, body: undefined },
      { headers: { authorization: "BEARER s" } },
    ],
  ])("with %s", (_case, changed, expected) => {
    const request = requestOf({ ...parts, ...changed });
    expect(request).toMatchObject(expected);
    expect(Object.keys(request.headers)).toHaveLength(
      Object.keys((expected as { headers?: object }).headers ?? { "content-type": "" }).length,
    );
  });

  test.each<[string, Partial<CallParts>, string]>([
    ["POST", {}, "curl -s 'http://h/rpc/A/B' \\\n  -H 'content-type: application/json' \\\n  -d '{}'"],
    ["POST without a body", { body: undefined }, "curl -s -X POST 'http://h/rpc/A/B'"],
    ["GET", { verb: "GET", body: undefined }, "curl -s 'http://h/rpc/A/B'"],
    [
      "PUT",
      { verb: "PUT", body: "it's" },
      `curl -s -X PUT 'http://h/rpc/A/B' \\\n  -H 'content-type: application/json' \\\n  -d 'it'\\''s'`,
    ],
    [
      "a secret",
      { verb: "GET", body: undefined, keyValues: { secretKey: "s" } },
      "curl -s 'http://h/rpc/A/B' \\\n  -H \"authorization: BEARER $SECRET_KEY\"",
    ],
    [
      "a key that is no secret",
      { verb: "GET", body: undefined, keyValues: { accessKey: "a" } },
      "curl -s 'http://h/rpc/A/B' \\\n  -H 'x-access-key: a'",
    ],
  ])("in curl: %s", (_case, changed, expected) => {
    expect(curlOf(requestOf({ ...parts, ...changed }), keys)).toBe(expected);
  });

  test.each([
    ["secretKey", "SECRET_KEY"],
    ["key2Use", "KEY2_USE"],
    ["token", "TOKEN"],
  ])("the variable of %s is %s", (name, expected) => {
    expect(variableOf({ name, title: "", header: "" })).toBe(expected);
  });

  test("in fetch, a header that is no secret stands as it is, and files are left out", () => {
    const request = requestOf({ ...parts, keyValues: { accessKey: "a" }, body: undefined, verb: "GET" });
    expect(fetchCode(request, keys)).toBe(
      'const response = await fetch("http://h/rpc/A/B", {\n  method: "GET",\n  headers: {\n    "x-access-key": "a",\n  },\n});\nconst result = await response.json();\n',
    );
    expect(fetchCode(requestOf({ ...parts, body: undefined }), keys)).not.toContain("headers");
    expect(fetchCode(requestOf({ ...parts, files: [] }), keys)).toBeUndefined();
  });
});

describe("code of the client", () => {
  const found = (service: number, name: number, more: Partial<IrMethod> = {}): ServiceMethod => {
    const of = ir.services[service];
    const one = of?.methods[name];
    if (of === undefined || one === undefined) throw new Error("no such method");
    return { service: of, method: { ...one, ...more } };
  };
  const call = (json: string) => ({ request: requestOf(parts), body: parseJson(json), keys });

  test.each<[string, string]>([
    ["{}", "{}"],
    ['{"pet":{"id":1}}', "{ pet: { id: 1 } }"],
    ['{"a-b":"x","$c":[]}', '{ "a-b": "x", $c: [] }'],
    [`{"a":"${"x".repeat(55)}"}`, `{ a: "${"x".repeat(55)}" }`],
    [`{"a":"${"x".repeat(56)}"}`, `{\n  a: "${"x".repeat(56)}",\n}`],
    [
      `{"pet":{"friends":["${"x".repeat(63)}"]}}`,
      `{\n  pet: {\n    friends: [\n      "${"x".repeat(63)}",\n    ],\n  },\n}`,
    ],
  ])("the request %s", (json, expected) => {
    expect(clientCode(schema, found(0, 0), call(json))).toBe(
      `import { Pets } from "./generated/client.ts";\n\nconst pets = new Pets("http://h");\nconst response = await pets.getPet(${expected});\n`,
    );
  });

  test.each<[string, ServiceMethod, RegExp]>([
    [
      "a read by its name",
      found(0, 0),
      /^const \{ data, error \} = useQuery\(queryOptions\(getPet, pets\.client, \{\}\)\);$/m,
    ],
    [
      "a write of two services",
      found(0, 1),
      /^const \{ mutate, error \} = useMutation\(mutationOptions\(petsPutPet, pets\.client\)\);\nmutate\(\{\}\);$/m,
    ],
    [
      "a write that says that it reads",
      found(1, 0, { annotations: { readonly: {} } }),
      /useQuery\(queryOptions\(apiPutPet, api\.client, \{\}\)\)/,
    ],
    ["a stream", found(1, 1), /useQuery\(streamedOptions\(watch, api\.client, \{\}\)\)/],
  ])("for TanStack Query: %s", (_case, of, expected) => {
    expect(queryCode(schema, of, call("{}"))).toMatch(expected);
  });

  test.each<[Partial<IrMethod>, boolean]>([
    [{}, false],
    [{ annotations: { readonly: {} } }, true],
    [{ annotations: { cache: { value: "60s" } } }, true],
    [{ annotations: { auth: {} } }, false],
    [{ route: { verb: "GET", path: "/" } }, true],
    [{ route: { verb: "HEAD", path: "/" } }, true],
    [{ route: { verb: "QUERY", path: "/" } }, true],
    [{ route: { verb: "POST", path: "/" } }, false],
  ])("a method with %j is a read: %s", (more, expected) => {
    expect(isRead(method("PutPet", more))).toBe(expected);
  });

  test.each<[string | undefined, Partial<IrMethod>, string]>([
    [undefined, {}, "POST /rpc/Pets/GetPet"],
    ["/api", {}, "POST /api/Pets/GetPet"],
    ["/", {}, "POST /Pets/GetPet"],
    ["/api/", { route: { verb: "GET", path: "/{id}" } }, "GET /api/pets/{id}"],
    ["/", { route: { verb: "GET", path: "/" } }, "GET /pets"],
  ])("with the base path %s, a method %j is at %s", (basepath, more, expected) => {
    const own = readSchema({ ...ir, ...(basepath === undefined ? {} : { basepath }) });
    const { verb, path } = addressOf(own, found(0, 0, more));
    expect(`${verb} ${path}`).toBe(expected);
  });
});

describe("advice", () => {
  const context: AdviceContext = { network: "", networks: [], keys, keyValues: {} };
  const failure: Failure = { error: "E", code: 7, msg: "m", status: 400 };

  test.each<[string, Partial<Failure>, Partial<AdviceContext>, readonly (readonly [string, string])[]]>([
    ["an error of the schema", {}, {}, []],
    [
      "status 401 with a cause",
      { status: 401, cause: "no secret" },
      {},
      [["key:secretKey", "Secret key is missing. Paste a key here."]],
    ],
    ["status 401 without keys", { status: 401, cause: "who?" }, { keys: [] }, [["", "Who?"]]],
    [
      "status 401 with one key that is no secret",
      { status: 401, cause: "secret" },
      { keys: keys.slice(0, 1) },
      [["key:accessKey", "Access key is missing. Paste one."]],
    ],
    ["too many calls", { code: 1901 }, {}, [["", "Too many requests. Try again in a second."]]],
    [
      "too many calls, and a time",
      { code: 1007 },
      { waitSeconds: 2 },
      [["", "Too many requests. Try again in 2 seconds."]],
    ],
    [
      "no method, no networks",
      { code: -2 },
      { network: "a" },
      [["", "This host does not have this method. Check which services it hosts."]],
    ],
    [
      "no method, a known network",
      { code: -2 },
      { network: "a", networks: ["a"] },
      [["", "This host does not have this method. Check which services it hosts."]],
    ],
    [
      "no method, no network chosen",
      { code: -2 },
      { networks: ["a"] },
      [["", "This host does not have this method. Check which services it hosts."]],
    ],
    ["an invalid body", { code: -4, cause: "no JSON" }, {}, [["", "No JSON."]]],
    ["an invalid body without a cause", { code: -4 }, {}, []],
    ["a chain", { code: 2000, cause: "unknown chain!" }, { network: "a" }, [["network", "Unknown chain!"]]],
    ["a chain, but no network", { code: 2000, cause: "unknown chain" }, {}, []],
    ["another cause", { code: 2002, cause: "unknown token" }, { network: "a" }, []],
    [
      "an expired key",
      { code: 1002, cause: "the access key has expired" },
      {},
      [["key:accessKey", "This key has expired. Paste one."]],
    ],
  ])("on %s", (_case, changed, around, expected) => {
    expect([...adviceFor({ ...failure, ...changed }, { ...context, ...around })]).toEqual(expected);
  });

  test("two messages at one field are both shown", () => {
    const errors = new Map([
      ["/a/0", "One."],
      ["/a/1", "Two."],
      ["key:x", "Three."],
    ]);
    expect([...assignToFields(errors, new Set(["/a"]))]).toEqual([
      ["/a", "/a/0: One. /a/1: Two."],
      ["key:x", "Three."],
    ]);
  });

  test.each([
    [
      "webrpc@v0.44.0;ridlkit@0.1.0;shop@v2",
      "The host now has shop v2, but this page shows v1. Reload the page.",
    ],
    ["webrpc@v0.44.0;ridlkit@0.1.0;shop@v1", undefined],
    ["other@v2", undefined],
    ["shop", undefined],
    [undefined, undefined],
  ])("on a host with the header %s", (value, expected) => {
    expect(stalenessOf(value === undefined ? [] : [["webrpc", value]], ir)).toBe(expected);
  });
});

/** The part of a response that the page shows. */
interface ShownResponse {
  readonly status: number | undefined;
  readonly texts: readonly string[];
  readonly count: number;
  readonly file: { readonly name: string | undefined; readonly blob: Blob } | undefined;
  readonly state: string;
}

type Send = (
  request: CallRequest,
  options: {
    readonly isStream: boolean;
    readonly isFile: boolean;
    readonly signal: AbortSignal;
    readonly onChange: (response: ShownResponse) => void;
  },
) => Promise<ShownResponse>;

// Its module needs the types of browsers, which this test does not have.
const sendPath = "../../../generator/explorer/page/call/send.ts";
const { send } = (await import(sendPath)) as { readonly send: Send };

describe("a response", () => {
  const stop = new AbortController();

  async function response(
    answer: RequestListener,
    { isStream = false, isFile = false } = {},
  ): Promise<{ last: ShownResponse; states: readonly string[] }> {
    const server = createServer(answer).listen(0, "127.0.0.1");
    await new Promise((done) => server.once("listening", done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const states: string[] = [];
    const onChange = ({ state }: ShownResponse): void => void states.push(state);
    try {
      const request = { ...requestOf({ ...parts, keys: [] }), url };
      return { last: await send(request, { isStream, isFile, signal: stop.signal, onChange }), states };
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  const error = { error: "Gone", code: 7, msg: "gone", status: 410 };

  test("is a text", async () => {
    const { last, states } = await response((_req, res) => void res.end("{}"));
    expect(last).toMatchObject({ status: 200, texts: ["{}"], count: 1, failure: undefined, state: "done" });
    expect(states).toEqual(["sending", "sending", "done"]);
  });

  test.each<[number, string, object | undefined]>([
    [410, JSON.stringify(error), error],
    [200, JSON.stringify(error), undefined],
    [410, "<html>", undefined],
    [410, "null", undefined],
    [410, '{"error":"Gone"}', undefined],
    [410, '{"code":7}', undefined],
  ])("with status %i and the body %s is an error: %j", async (status, body, failure) => {
    const { last } = await response((_req, res) => void res.writeHead(status).end(body));
    expect(last).toMatchObject({ status, texts: [body], failure, state: "done" });
  });

  test("is a stream, of which the newest 200 items stay", async () => {
    const items = Array.from({ length: 201 }, (_, index) => `{"a":${index}}`);
    const { last, states } = await response((_req, res) => void res.end(`${items.join("\n\n")}`), {
      isStream: true,
    });
    expect([last.count, last.texts.length, last.texts[0], last.texts.at(-1)]).toEqual([
      201,
      200,
      '{"a":200}',
      '{"a":1}',
    ]);
    expect([states.includes("streaming"), last.state]).toEqual([true, "done"]);
  });

  test("is a stream that ends with an error", async () => {
    const lines = `{"a":1}\n${JSON.stringify({ webrpcError: error })}\n{"a":2}\n`;
    const { last } = await response((_req, res) => void res.end(lines), { isStream: true });
    expect(last).toMatchObject({ texts: ['{"a":1}'], count: 1, failure: error, state: "done" });
  });

  test("is an error in place of a stream or a file", async () => {
    const answer: RequestListener = (_req, res) => void res.writeHead(410).end(JSON.stringify(error));
    for (const kind of [{ isStream: true }, { isFile: true }])
      expect((await response(answer, kind)).last).toMatchObject({ failure: error, file: undefined });
  });

  test.each([
    ['attachment; filename="a b.png"', "a b.png"],
    ["attachment", undefined],
  ])("is a file with the disposition %s", async (disposition, name) => {
    const { last } = await response(
      (_req, res) => void res.writeHead(200, { "content-disposition": disposition }).end("xyz"),
      { isFile: true },
    );
    expect([last.file?.name, await last.file?.blob.text(), last.texts, last.count]).toEqual([
      name,
      "xyz",
      [],
      1,
    ]);
  });

  test("has a form with the JSON and the files", async () => {
    const received: FormData[] = [];
    const fetched = globalThis.fetch;
    globalThis.fetch = async (_url, init) => {
      received.push(init?.body as FormData);
      return new Response("{}");
    };
    try {
      const request = requestOf({
        ...parts,
        keys: [],
        body: undefined,
        files: [{ name: "f", file: new File(["x"], "a") }],
      });
      await send(request, { isStream: false, isFile: false, signal: stop.signal, onChange: () => undefined });
    } finally {
      globalThis.fetch = fetched;
    }
    expect([received[0]?.get("json"), (received[0]?.get("f") as File | undefined)?.name]).toEqual([
      "{}",
      "a",
    ]);
  });

  test("is stopped by the signal, and a host that does not respond is an error", async () => {
    const aborted = {
      isStream: false,
      isFile: false,
      signal: AbortSignal.abort(),
      onChange: () => undefined,
    };
    const request = { ...requestOf({ ...parts, keys: [] }), url: "http://127.0.0.1:1" };
    expect(await send(request, aborted)).toMatchObject({ state: "stopped", status: undefined });
    await expect(send(request, { ...aborted, signal: stop.signal })).rejects.toThrow();
  });
});

describe("the search", () => {
  const own: Ir = {
    ...ir,
    types: [
      {
        kind: "struct",
        name: "OrderList",
        fields: [{ name: "orderId" }, { name: "total", comments: ["Sum of orders."] }],
      },
      { kind: "struct", name: "Total" },
    ],
    errors: [{ code: 1, name: "NoOrder", message: "order not found", httpStatus: 404 }],
    services: [
      {
        name: "Shop",
        methods: [
          method("GetOrders", { comments: ["Lists (orders) of a shop. More."] }),
          method("Reorder"),
          method("GoOrDie"),
        ],
      },
      { name: "Hidden", methods: [method("GetOrder")] },
    ],
  };
  const found = (query: string, services?: readonly string[]): readonly string[] =>
    search(indexOf(readSchema(own), services), query).map(({ kind, name }) => `${kind} ${name}`);

  test.each<[string, readonly string[]]>([
    ["total", ["type Total", "field total"]],
    [
      "order",
      [
        "type OrderList",
        "field orderId",
        "method GetOrder",
        "method GetOrders",
        "error NoOrder",
        "method Reorder",
        "field total",
      ],
    ],
    ["gor", ["method GoOrDie", "method GetOrder", "method GetOrders"]],
    ["g", ["method GoOrDie", "method GetOrder", "method GetOrders"]],
    ["shop get", ["method GetOrders"]],
    ["orderlist.total", ["field total"]],
    ["lists", ["method GetOrders"]],
    [
      "rder",
      [
        "method Reorder",
        "method GetOrder",
        "method GetOrders",
        "type OrderList",
        "error NoOrder",
        "field orderId",
      ],
    ],
    ["um", []],
    ["found", ["error NoOrder"]],
  ])("for %s finds in this order", (query, expected) => {
    expect(found(query)).toEqual(expected);
  });

  test("leaves out services that the host does not serve", () => {
    expect(found("getorder", ["Shop"])).toEqual(["method GetOrders"]);
  });

  test.each([
    ["One. Two.", "One."],
    ["Version 1.5 of it. More", "Version 1.5 of it."],
    ["No end", "No end"],
  ])("the first sentence of %j is %j", (paragraph, expected) => {
    expect(firstSentence([paragraph, "Other."])).toBe(expected);
  });

  test("comments are paragraphs; lists and labels begin their own", () => {
    expect(docsOf(["One", "line.", "", "Two:", "- a", "- b", "Note: c", "Not: ", "  "])).toEqual([
      "One line.",
      "Two:",
      "- a",
      "- b",
      "Note: c",
      "Not:",
    ]);
    expect(docsOf(undefined)).toEqual([]);
  });
});

describe("the files of the page", () => {
  test("are those of the built page's folder", async () => {
    using dir = folder({ "index.html": "<html>", "app-ABCD1234.js": "é" });
    const texts = pageTexts(dir.path);
    expect(texts).toEqual({ "index.html": "<html>", "app-ABCD1234.js": "é" });
    expect([...filesByPath("/explorer/", texts).keys()].sort()).toEqual([
      "/explorer",
      "/explorer/",
      "/explorer/app-ABCD1234.js",
      "/explorer/index.html",
    ]);
  });

  test("are none before the page is built", () => {
    using dir = folder({});
    expect(pageTexts(`${dir.path}/none`)).toEqual({});
    expect(filesByPath("/explorer/", {}).size).toBe(0);
  });
});
