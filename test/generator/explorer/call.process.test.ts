/** The call elsewhere, and what to do when it fails. */
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { callAddress } from "../../../generator/explorer/page/call/address.ts";
import {
  type AdviceContext,
  adviceFor,
  adviceForNoResponse,
  assignToFields,
  withExamples,
} from "../../../generator/explorer/page/call/advice.ts";
import { clientCode, fetchCode, queryCode } from "../../../generator/explorer/page/call/code.ts";
import { curlOf } from "../../../generator/explorer/page/call/curl.ts";
import type { KeyInfo } from "../../../generator/explorer/page/call/host-info.ts";
import { requestOf } from "../../../generator/explorer/page/call/request.ts";
import { parseJson } from "../../../generator/explorer/page/json/node.ts";
import { findMethod, readSchema } from "../../../generator/explorer/page/schema/ir.ts";
import { bodyShape } from "../../../generator/explorer/page/schema/shape.ts";
import { contractIr } from "../../support/contract-ir.ts";

const keys: readonly KeyInfo[] = [
  { name: "accessKey", title: "Access key", header: "X-Access-Key", help: "Paste one." },
  { name: "secretKey", title: "Secret key", header: "Authorization", prefix: "BEARER ", isSecret: true },
];
const keyValues = { accessKey: " key ", secretKey: "jwt" };
const routeless = {
  server: "http://h",
  network: "",
  verb: "POST",
  path: "/rpc/A/B",
  keys: [],
  keyValues: {},
};

describe("curl", () => {
  test("sends the same bytes, whatever quotes and signs are in them, and no secret stands in its text", async () => {
    const body = `{"text":"it's $HOME \\\\ \`id\` \\"!\\n é"}`;
    const heard: { path: string | undefined; key: unknown; authorization: unknown; body: string }[] = [];
    const server = createServer(async (req, res) => {
      let text = "";
      for await (const chunk of req) text += chunk;
      const { authorization, "x-access-key": key } = req.headers;
      heard.push({ path: req.url, key, authorization, body: text });
      res.end("{}");
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const request = requestOf({
      server: origin,
      network: "31337",
      verb: "POST",
      path: "/rpc/A/B",
      keys,
      keyValues,
      body,
    });
    const text = curlOf(request, keys);
    expect(text).not.toContain("jwt");
    const child = spawn("sh", ["-c", text], { env: { ...process.env, SECRET_KEY: "jwt" } });
    await new Promise((done) => child.once("close", done));
    server.close();
    expect(heard).toEqual([{ path: "/31337/rpc/A/B", key: "key", authorization: "BEARER jwt", body }]);
  });
});

describe("routes", () => {
  const routes = readSchema(contractIr("test/fixtures/routes/schema.ridl"));
  const callOf = (name: string, body: string) => {
    const [service = "", method = ""] = name.split(".");
    const found = findMethod(routes, service, method);
    if (found === undefined) throw new Error(`the fixture has ${name}`);
    return { found, ...callAddress(routes, found, parseJson(body)) };
  };

  test.each<[string, string, string, boolean]>([
    ["Items.RpcMethod", '{"id":1}', "POST /rpc/Items/RpcMethod", true],
    ["Items.GetItem", '{"id":18446744073709551615}', "GET /rpc/items/18446744073709551615", false],
    ["Items.GetChild", '{"id":1,"childId":"it\'s/é"}', "GET /rpc/items/1/children/it%27s%2F%C3%A9", false],
    ["Items.CreateItem", '{"name":"a"}', "POST /rpc/items", true],
    ["Items.UpdateItem", '{"id":7,"name":"a"}', "PUT /rpc/items/7", true],
    ["Items.PatchItem", '{"id":7}', "PATCH /rpc/items/7", true],
    ["Items.DeleteItem", '{"id":"x"}', "DELETE /rpc/items/x", false],
    ["Items.QueryItems", '{"text":"a&b=c","limit":null}', "QUERY /rpc/items/search?text=a%26b%3Dc", false],
    [
      "Items.ListItems",
      '{"tags":["a",""],"active":true,"more":{"a":1}}',
      "GET /rpc/items?tags=a&tags=&active=true&more=%7B%22a%22%3A1%7D",
      false,
    ],
    ["Items.ResetItems", "{}", "POST /rpc/items/reset", true],
    ["Teams.ListTeams", '{"org":"a","lists":[]}', "GET /rpc/orgs/a/teams", false],
    ["Teams.RenameTeam", '{"org":"a","id":1,"toString":"b"}', "POST /rpc/orgs/a/teams/1/name", true],
  ])("%s %s", (name, body, expected, hasBody) => {
    const { verb, path, errors, ...rest } = callOf(name, body);
    expect(`${verb} ${path}`).toBe(expected);
    expect(rest.hasBody).toBe(hasBody);
    expect([...errors]).toEqual([]);
  });

  test.each([
    '{"id":1}',
    '{"id":1,"childId":""}',
    '{"id":1,"childId":".."}',
    '{"id":1,"childId":null}',
    '{"id":1,"childId":[]}',
  ])("%s has no value that a path can hold", (body) => {
    const { path, errors } = callOf("Items.GetChild", body);
    expect(path).toBe("/rpc/items/1/children/{childId}");
    expect([...errors]).toEqual([
      ["/childId", 'Enter a value other than "." and "..": it is part of the path.'],
    ]);
  });

  test("curl sends the verb, the path and the query, and a body only where there is one", async () => {
    const received: string[] = [];
    const server = createServer(async (req, res) => {
      let text = "";
      for await (const chunk of req) text += chunk;
      received.push(`${req.method} ${req.url} ${req.headers["content-type"] ?? "-"} ${text}`);
      res.end("{}");
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    for (const [name, body] of [
      ["Items.GetChild", '{"id":1,"childId":"it\'s {a} [1-2]"}'],
      ["Items.DeleteItem", '{"id":1}'],
      ["Items.UpdateItem", '{"id":1,"name":"it\'s"}'],
      ["Items.CreateItem", "{}"],
      ["Items.QueryItems", '{"text":"$HOME"}'],
    ] as const) {
      const { verb, path, hasBody } = callOf(name, body);
      const parts = { server: origin, network: "", verb, path, keys: [], keyValues: {} };
      const text = curlOf(requestOf({ ...parts, body: hasBody ? body : undefined }), []);
      await new Promise((done) => spawn("sh", ["-c", text]).once("close", done));
    }
    server.close();
    expect(received).toEqual([
      "GET /rpc/items/1/children/it%27s%20%7Ba%7D%20%5B1-2%5D - ",
      "DELETE /rpc/items/1 - ",
      'PUT /rpc/items/1 application/json {"id":1,"name":"it\'s"}',
      "POST /rpc/items application/json {}",
      "QUERY /rpc/items/search?text=%24HOME - ",
    ]);
  });

  test("client code is that of a method without a route", () => {
    const { found, verb, path } = callOf("Items.GetItem", '{"id":1}');
    const request = requestOf({
      server: "http://h",
      network: "",
      verb,
      path,
      keys: [],
      keyValues: {},
      body: undefined,
    });
    expect(clientCode(routes, found, { request, body: parseJson('{"id":1}'), keys: [] })).toBe(
      `import { Items } from "./generated/client.ts";

const items = new Items("http://h");
const response = await items.getItem({ id: 1 });
`,
    );
  });
});

describe("client code", () => {
  const schemaOf = (fixture: string) => readSchema(contractIr(`test/fixtures/${fixture}/schema.ridl`));
  const wire = schemaOf("wire");
  const codeOf = (method: string, body: string, schema = wire, service = "Wire"): string => {
    const found = findMethod(schema, service, method);
    if (found === undefined) throw new Error(`the fixture has ${method}`);
    const request = requestOf({
      server: "http://h",
      network: "",
      verb: "POST",
      path: "",
      keys,
      keyValues: { secretKey: "jwt" },
      body,
    });
    return clientCode(schema, found, { request, body: parseJson(body), keys });
  };

  test("brands values with the functions of the generated types", () => {
    const code = codeOf(
      "Change",
      '{"id":7,"patch":{"name":"Bo","insured_by":null}}',
      schemaOf("derived"),
      "Clinic",
    );
    expect(code).toContain(`import { Clinic } from "./generated/client.ts";
import { toPatientId } from "./generated/types.ts";

const clinic`);
    expect(code).toContain('.change({ id: toPatientId(7), patch: { name: "Bo", insured_by: null } });');
  });

  test("prints bigint literals and reads keys from the environment", () => {
    expect(codeOf("Echo", '{"big":"-12345678901234567890","amounts":{"a b":["7"]},"text":"x\\"y"}')).toBe(
      `import { Wire } from "./generated/client.ts";

const wire = new Wire({
  url: "http://h",
  headers: () => ({
    "authorization": \`BEARER \${process.env.SECRET_KEY}\`,
  }),
});
const response = await wire.echo({ big: -12345678901234567890n, amounts: { "a b": [7n] }, text: "x\\"y" });
`.replace(
        '{ big: -12345678901234567890n, amounts: { "a b": [7n] }, text: "x\\"y" }',
        '{\n  big: -12345678901234567890n,\n  amounts: { "a b": [7n] },\n  text: "x\\"y",\n}',
      ),
    );
  });

  test("iterates over a stream", () => {
    expect(codeOf("Watch", '{"feed":"a","from":1,"count":2}')).toContain(
      'for await (const item of wire.watch({ feed: "a", from: 1, count: 2 })) {\n  console.log(item);\n}',
    );
  });
});

describe("code for TanStack Query and fetch", () => {
  const platform = readSchema(contractIr("schema/platform.ridl"));
  const samples = (service: string, method: string, body: string) => {
    const found = findMethod(platform, service, method);
    if (found === undefined) throw new Error(`the contract has ${method}`);
    const request = requestOf({
      server: "http://h",
      network: "",
      verb: "POST",
      path: `/rpc/${service}/${method}`,
      keys,
      keyValues: { secretKey: "jwt" },
      body,
    });
    const call = { request, body: parseJson(body), keys };
    return { query: queryCode(platform, found, call), fetch: fetchCode(request, keys) };
  };

  test("reads are queries, and others are mutations", () => {
    const { query } = samples("API", "GetSwapPrice", '{"buyAmount":"1"}');
    expect(query).toContain('import { API, getSwapPrice } from "./generated/client.ts";');
    expect(query).toContain("useQuery(queryOptions(getSwapPrice, api.client, {");
    expect(samples("Indexer", "RemoveWebhookListener", '{"id":1}').query).toContain(
      "useMutation(mutationOptions(removeWebhookListener, indexer.client));\nmutate({ id: 1 });",
    );
  });

  test("a method that an earlier service has is named with its service", () => {
    expect(samples("API", "Ping", "{}").query).toContain("queryOptions(ping, api.client, {})");
    expect(samples("Builder", "Ping", "{}").query).toContain("queryOptions(builderPing, builder.client, {})");
  });

  test("fetch sends the same text, and no secret stands in it", async () => {
    const body = '{"a":12345678901234567890,"b":"\\""}';
    const { fetch: code = "" } = samples("API", "GetSwapPrice", body);
    expect(code).not.toContain("jwt");
    const sent: unknown[] = [];
    const fetched = async (...parts: unknown[]) => {
      sent.push(...parts);
      return new Response("{}");
    };
    await runInNewContext(`(async () => { ${code} })()`, { fetch: fetched, SECRET_KEY: "s" });
    const headers = { "content-type": "application/json", authorization: "BEARER s" };
    expect(sent).toEqual(["http://h/rpc/API/GetSwapPrice", { method: "POST", headers, body }]);
  });
});

test("curl shows long bodies on several lines", () => {
  const body = `{"first":"${"a".repeat(40)}","second":12345678901234567890}`;
  const request = requestOf({ ...routeless, body });
  expect(curlOf(request, [])).toContain(
    `-d '{\n  "first": "${"a".repeat(40)}",\n  "second": 12345678901234567890\n}'`,
  );
  expect(curlOf({ ...request, body: '{"a":1}' }, [])).toContain(`-d '{"a":1}'`);
});

test("curl sends files as parts of a form, and shows the key that a mock gives", () => {
  const given = [{ ...keys[1], value: "any" }] as readonly KeyInfo[];
  const request = requestOf({
    server: "http://h/api",
    network: "",
    verb: "POST",
    path: "/rpc/A/B",
    keys: given,
    keyValues: { secretKey: "any" },
    body: '{"title":"it\'s","picture":null}',
    files: [{ name: "picture", file: new File(["x"], "a b.png") }],
    more: { "mock-error": "Gone", "mock-delay": " " },
  });
  expect(curlOf(request, given)).toBe(
    `curl -s 'http://h/api/rpc/A/B' \\
  -H 'mock-error: Gone' \\
  -H 'authorization: BEARER any' \\
  --form-string 'json={"title":"it'\\''s","picture":null}' \\
  -F 'picture=@a b.png'`,
  );
});

describe("advice", () => {
  const asked: AdviceContext = {
    network: "nowhere",
    networks: ["polygon", "137"],
    keys,
    keyValues: {},
  };
  const failure = { error: "X", msg: "x" };

  test.each([
    [
      "no key",
      401,
      "the header X-Access-Key with the project's access key is missing",
      asked,
      "key:accessKey",
      "Access key is missing. Paste one.",
    ],
    [
      "a wrong key",
      401,
      "the access key is unknown",
      { ...asked, keyValues },
      "key:accessKey",
      "The access key is unknown. Paste one.",
    ],
    [
      "no secret key",
      403,
      "this method also needs a secret key: Authorization: BEARER <secret key>",
      asked,
      "key:secretKey",
      "Secret key is missing. Paste a key here.",
    ],
    [
      "an old secret key",
      403,
      "the secret key has expired",
      { ...asked, keyValues },
      "key:secretKey",
      "The secret key has expired. Paste a key here.",
    ],
    [
      "a wrong network",
      404,
      undefined,
      asked,
      "network",
      'This host does not serve "nowhere". It serves polygon, 137.',
    ],
    ["too many calls", 429, undefined, { ...asked, waitSeconds: 7 }, "", "X. Try again in 7 seconds."],
  ] as const)("on %s", (_, status, cause, given, place, words) => {
    const code = status === 404 ? -2 : 7;
    const advice = adviceFor({ ...failure, code, status, ...(cause === undefined ? {} : { cause }) }, given);
    expect([...advice]).toEqual([[place, words]]);
  });

  test("on a missing key of another contract comes from its error with status 401", () => {
    const advice = adviceFor({ error: "NoKey", code: 7, msg: "no key", status: 401 }, asked);
    expect([...advice]).toEqual([["key:accessKey", "Access key is missing. Paste one."]]);
  });

  test("on no response names the server, its command, and CORS if the page is of another host", () => {
    const near = adviceForNoResponse("http://h", "http://h", "npm start");
    expect(near.get("")).toBe("No response from http://h. Check that the server runs: npm start.");
    const far = adviceForNoResponse("https://api.example/v1", "https://docs.example");
    expect(far.get("")).toBe(
      "No response from https://api.example/v1. Check that the server runs. It must allow calls of pages from https://docs.example (CORS).",
    );
  });

  test("on an invalid value has an example instead of a regular expression", () => {
    const types = [
      { kind: "alias", name: "Hash", type: "string", meta: [{ pattern: "^0x[0-9a-f]{4}$" }] },
      {
        kind: "alias",
        name: "Id",
        type: "string",
        meta: [{ pattern: "^[A-Z]-[0-9]+$" }, { example: "A-7" }],
      },
      { kind: "alias", name: "Odd", type: "string", meta: [{ pattern: "^odd[0-9]$" }] },
      { kind: "struct", name: "Item", fields: [{ name: "odd", type: "Odd" }] },
    ] as const;
    const schema = readSchema({ name: "a", version: "v1", types, services: [] });
    const inputs = [
      { name: "hash", type: "Hash" },
      { name: "ids", type: "[]Id" },
      { name: "odd", type: "map<string,Odd>" },
      { name: "list", type: "[]Item" },
    ];
    const shape = bodyShape(schema, { name: "M", inputs, outputs: [] }, inputs);
    const issue = (pattern: string, ...path: (string | number)[]) => ({
      message: `expected text that matches ${pattern}, found "z"`,
      path,
    });
    const issues = [
      issue("^0x[0-9a-f]{4}$", "hash"),
      issue("^[A-Z]-[0-9]+$", "ids", 1),
      issue("^odd[0-9]$", "odd", "a"),
      issue("^odd[0-9]$", "list", 1, "odd"),
      issue("^x$", "unknown"),
    ];
    const given = withExamples({ ...failure, code: -4, status: 400, issues }, schema, shape, [
      parseJson('{"hash":"0xz","odd":{"b":"odd8"}}'),
      parseJson('{"hash":"0x5a5a","list":[{"odd":"odd7"}]}'),
    ]);
    expect(given.issues?.map(({ message }) => message)).toEqual([
      'expected text such as 0x5a5a, found "z"',
      'expected text such as A-7, found "z"',
      'expected text such as odd8, found "z"',
      'expected text such as odd7, found "z"',
      'expected text that matches ^x$, found "z"',
    ]);
  });

  test("on an invalid body is shown at the fields, or at their nearest parents", () => {
    const issues = [
      {
        message: 'expected text that matches ^0x[0-9a-fA-F]{40}$, found "z; /z"',
        path: ["input", 0, "contractAddress"],
      },
      { message: "expected an object, found 3", path: ["input", 1] },
      { message: "expected no more faults, found 2 more", path: [] },
    ];
    const advice = adviceFor(
      { ...failure, code: -4, status: 400, cause: "all of them in one text", issues },
      asked,
    );
    expect([...assignToFields(advice, new Set(["", "/input", "/input/0/contractAddress"]))]).toEqual([
      ["/input/0/contractAddress", 'Expected text that matches ^0x[0-9a-fA-F]{40}$, found "z; /z".'],
      ["/input", "/input/1: Expected an object, found 3."],
      ["", "Expected no more faults, found 2 more."],
    ]);
  });
});
