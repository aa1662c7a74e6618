import { describe, expect, test } from "vitest";
import { clientCode, fetchCode, queryCode } from "../../../generator/explorer/page/call/code.ts";
import { curlOf } from "../../../generator/explorer/page/call/curl.ts";
import { type CallParts, requestOf, variableOf } from "../../../generator/explorer/page/call/request.ts";
import { parseJson } from "../../../generator/explorer/page/json/node.ts";
import {
  addressOf,
  type IrMethod,
  isRead,
  readSchema,
  type ServiceMethod,
} from "../../../generator/explorer/page/schema/ir.ts";
import { ir, keys, method, parts, schema } from "./contract.ts";

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
    ...[56, 57].map((length): [string, Partial<CallParts>, string] => {
      const text = "x".repeat(length - 8);
      const shown = length > 56 ? `{ "a": "${text}" }` : `{"a":"${text}"}`;
      const head = "curl -s 'http://h/rpc/A/B' \\\n  -H 'content-type: application/json'";
      return [`${length} characters`, { body: `{"a":"${text}"}` }, `${head} \\\n  -d '${shown}'`];
    }),
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

  test("in fetch, a header that is no secret stands as it is", () => {
    const request = requestOf({ ...parts, keyValues: { accessKey: "a" }, body: undefined, verb: "GET" });
    expect(fetchCode(request, keys)).toBe(
      'const response = await fetch("http://h/rpc/A/B", {\n  method: "GET",\n  headers: {\n    "x-access-key": "a",\n  },\n});\nconst result = await response.json();\n',
    );
    expect(fetchCode(requestOf({ ...parts, body: undefined }), keys)).not.toContain("headers");
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
      /^const \{ mutate, error \} = useMutation\(mutationOptions\(putPet, pets\.client\)\);\nmutate\(\{\}\);$/m,
    ],
    [
      "a write that says that it reads",
      found(1, 0, { annotations: { readonly: {} } }),
      /useQuery\(queryOptions\(apiPutPet, api\.client, \{\}\)\)/,
    ],
    ["a stream", found(1, 1), /useQuery\(streamOptions\(watch, api\.client, \{\}\)\)/],
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
