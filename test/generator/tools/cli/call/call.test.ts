/** Calls of real servers from the command line, in this process. */
import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../../../../generator/codegen/runtime/v1/client.ts";
import { byGet } from "../../../../../generator/codegen/runtime/v1/read-forms.ts";
import { addOrder } from "../../../../fixtures/keys/generated/client/shop.ts";
import { findOrders } from "../../../../fixtures/reads/generated/client/shop.ts";
import { createServer as routesServer } from "../../../../fixtures/routes/generated/server/index.ts";
import * as items from "../../../../fixtures/routes/generated-bigint/client/items.ts";
import * as teams from "../../../../fixtures/routes/generated-bigint/client/teams.ts";
import { createServer as wireServer } from "../../../../fixtures/wire/generated/server/index.ts";
import { createServer as wideServer } from "../../../../fixtures/wire/generated-bigint/server/index.ts";
import { type RunningServer, serveWith } from "../../../../support/adapters.ts";
import { echoHandlers, watched, wireHandlers } from "../../../../support/feed.ts";
import { folder, type Outcome, ridlkit } from "../../../../support/program.ts";
import { routedHandlers } from "../../../codegen/runtime/routes/handlers.ts";
import { recordingServer } from "./call-server.ts";

const fixture = (name: string): string => resolve(`test/fixtures/${name}/schema.ridl`);

interface Settings {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Calls a method of a fixture. */
function call(
  name: string,
  url: string,
  words: readonly string[],
  settings: Settings = {},
): Promise<Outcome> {
  return ridlkit(["call", ...words, "--schema", fixture(name), "--url", url], settings);
}

let wire: RunningServer;
let wide: RunningServer;
let routes: RunningServer;
beforeAll(async () => {
  [wire, wide, routes] = await Promise.all([
    serveWith("node-http", wireServer(wireHandlers(watched()))),
    serveWith("node-http", wideServer(echoHandlers)),
    serveWith("node-http", routesServer(routedHandlers)),
  ]);
});
afterAll(async () => {
  for (const server of [wire, wide, routes]) await server[Symbol.asyncDispose]();
});

describe("a response", () => {
  test("is compact JSON, and has every digit of the request", async () => {
    const request =
      '{"flag":true,"small":1,"large":-9223372036854775808,"unsigned":18446744073709551615,"counts":[18446744073709551615],' +
      '"named":{"9223372036854775807":"x"},"ratio":0.1,"text":"\\u00e9 \\"quoted\\"","bytes":"AQID","big":"18446744073709551616",' +
      '"amount":"1","amounts":{"a":["2"]},"at":"2024-02-29T12:00:00.123456789Z","level":"HIGH","side":"sell","sides":{"buy":1},' +
      '"texts":[],"anything":{"b":1,"a":[null]},"point":{"x":9007199254740993}}';
    const { code, out, err } = await call("wire", wide.url, ["Wire.Echo", request]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^\{"flag":true[^\n ]*.*\}\n$/);
    for (const digits of ["-9223372036854775808", "18446744073709551615", "9007199254740993", "0.123456789"])
      expect(out).toContain(digits.replace("0.", "."));
    expect(out).toContain('"b":1,"a":[null]');
  });

  test("keeps numbers and the order of names as the server sent them", async () => {
    const body = '{ "text": "a", "2": 1.50, "1": [1e5, 123456789012345678901234567890, {}], "text": "b" }';
    await using server = await recordingServer((response) => response.end(body));
    const compact = await call("wire", server.url, ["EchoText", '{"text":"a"}']);
    expect(compact.out).toBe(
      '{"text":"a","2":1.50,"1":[1e5,123456789012345678901234567890,{}],"text":"b"}\n',
    );
    const pretty = await call("wire", server.url, ["EchoText", '{"text":"a"}', "--pretty"]);
    expect(pretty.out).toBe(
      '{\n  "text": "a",\n  "2": 1.50,\n  "1": [\n    1e5,\n    123456789012345678901234567890,\n    {}\n  ],\n  "text": "b"\n}\n',
    );
    const coloured = await call("wire", server.url, ["EchoText", '{"text":"a"}', "--color"]);
    expect(coloured.out).toMatch(/^\{\u001b\[1;34m"text"\u001b\[0m:\u001b\[32m"a"\u001b\[0m,/);
  });

  test("has its status and headers on standard error with -i", async () => {
    const { out, err } = await call("routes", routes.url, ["GetItem", '{"id":7}', "-i"]);
    expect(out).toBe('{"item":{"id":7,"name":"item 7","tags":[]}}\n');
    expect(err).toMatch(/^HTTP 200 OK\n(?:.+\n)*Content-Type: application\/json\n(?:.+\n)*\n$/);
  });

  test("is one document for programs", async () => {
    const { code, out } = await call("routes", routes.url, ["GetItem", '{"id":7}', "--format", "json"]);
    expect({ code, ...JSON.parse(out) }).toMatchObject({
      code: 0,
      ok: true,
      status: 200,
      headers: { "Content-Type": "application/json" },
      response: { item: { id: 7 } },
    });
  });

  test("is written to a file", async () => {
    using dir = folder({});
    const words = ["GetItem", '{"id":7}', "-o", "item.json"];
    expect(await call("routes", routes.url, words, { cwd: dir.path })).toEqual({ code: 0, out: "", err: "" });
    expect(readFileSync(join(dir.path, "item.json"), "utf8")).toContain('"id":7');
    const failed = await call("routes", routes.url, ["PatchItem", '{"id":404}', "-o", "item.json"], {
      cwd: dir.path,
    });
    expect(failed.code).toBe(1);
    expect(readFileSync(join(dir.path, "item.json"), "utf8")).toContain('"id":7');
    const nowhere = await call("routes", routes.url, ["GetItem", '{"id":7}', "-o", "no/item.json"], {
      cwd: dir.path,
    });
    expect(nowhere).toMatchObject({
      code: 2,
      err: expect.stringContaining('"no/item.json" cannot be written'),
    });
  });
});

describe("a request is sent as the generated client sends it", () => {
  interface Row {
    readonly schema: string;
    readonly words: readonly string[];
    readonly generated: (client: Client) => Promise<unknown>;
    readonly settings?: Partial<Client>;
  }

  const list = { limit: 20, tags: ["a b", "c&d=é", ""], active: false, kinds: ["USER"] };
  const filter = { filter: { tags: [] } };
  const rows: readonly Row[] = [
    {
      schema: "routes",
      words: ["GetItem", '{"id":18446744073709551615}'],
      generated: (client) => items.getItem(client, { id: 2n ** 64n - 1n }),
    },
    {
      schema: "routes",
      words: ["ListItems", JSON.stringify(list)],
      generated: (client) => items.listItems(client, list as never),
    },
    {
      schema: "routes",
      words: ["UpdateItem", '{"id":5,"name":"n","tags":[]}'],
      generated: (client) => items.updateItem(client, { id: 5n, name: "n", tags: [] }),
    },
    {
      schema: "routes",
      words: ["DeleteItem", '{"id":5}'],
      generated: (client) => items.deleteItem(client, { id: 5n }),
    },
    { schema: "routes", words: ["ResetItems"], generated: (client) => items.resetItems(client) },
    {
      schema: "routes",
      words: ["QueryItems", '{"text":"a/b"}'],
      generated: (client) => items.queryItems(client, { text: "a/b" }),
    },
    {
      schema: "routes",
      words: ["RpcMethod", '{"id":1}'],
      generated: (client) => items.rpcMethod(client, { id: 1n }),
    },
    {
      schema: "routes",
      words: ["Teams.ListTeams", '{"org":"a/b","lists":[9007199254740993]}'],
      generated: (client) => teams.listTeams(client, { org: "a/b", lists: [9007199254740993n] }),
    },
    {
      schema: "reads",
      words: ["FindOrders", JSON.stringify(filter)],
      generated: (client) => findOrders(client, filter),
    },
    {
      schema: "reads",
      words: ["FindOrders", '{ "filter": {"tags": []} }', "--get"],
      generated: (client) => findOrders(client, filter),
      settings: { reads: byGet },
    },
    {
      schema: "keys",
      words: ["Shop.AddOrder", '{"item":"tea"}', "--idempotency-key", 'a "key"'],
      generated: (client) => addOrder(client, { item: "tea" }, { idempotencyKey: 'a "key"' }),
    },
  ];

  test.each(rows)("$words", async ({ schema, words, generated, settings }) => {
    await using server = await recordingServer();
    await generated({ url: `${server.url}/v/`, headers: () => ({ "X-Key": "k" }), ...settings });
    await call(schema, `${server.url}/v/`, [...words, "-H", "X-Key: k"]);
    const names = ["content-type", "x-key", "idempotency-key", "content-length"];
    const [expected, found] = server.received.map(({ headers, ...request }) => ({
      ...request,
      headers: Object.fromEntries(names.map((name) => [name, headers[name]])),
      // The versions of the program and of the checked-in client differ.
      webrpc: String(headers["webrpc"]).replace(/ridlkit@[^;]+/, ""),
    }));
    expect(found).toEqual(expected);
  });

  test("a call without a key gets a random one", async () => {
    await using server = await recordingServer();
    for (const _ of [1, 2]) await call("keys", server.url, ["Shop.AddOrder", '{"item":"tea"}']);
    const keys = server.received.map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(keys).size).toBe(2);
  });
});

describe("an error", () => {
  test("of the schema has its name, code, status and message", async () => {
    const { code, out, err } = await call("routes", routes.url, ["PatchItem", '{"id":404}']);
    expect({ code, out, err }).toEqual({
      code: 1,
      out: "",
      err: "NotFound (code 100, HTTP 404): not found\n",
    });
    const document = await call("routes", routes.url, ["PatchItem", '{"id":404}', "--format", "json"]);
    expect({ code: document.code, ...JSON.parse(document.out) }).toMatchObject({
      code: 1,
      ok: false,
      status: 404,
      error: { name: "NotFound", code: 100, message: "not found" },
    });
  });

  test("has its cause", async () => {
    const { code, err } = await call("wire", wire.url, ["Watch", '{"feed":"none","from":1,"count":1}']);
    expect({ code, err }).toEqual({
      code: 1,
      err: "NoSuchFeed (code 100, HTTP 404): no such feed\n  cause: try another\n",
    });
  });

  test("of a server without the method has advice", async () => {
    const { code, err } = await call("reads", wire.url, ["Peek", '{"id":1}']);
    expect(code).toBe(1);
    expect(err).toContain("WebrpcBadRoute (code -2, HTTP 404)");
    expect(err).toContain("The server does not have this method: check --url");
  });

  type Respond = (response: ServerResponse) => void;
  const broken: readonly (readonly [about: string, respond: Respond, message: string | RegExp])[] = [
    [
      "a web page",
      (response) => response.writeHead(502, { "Content-Type": "text/html" }).end("<h1>Bad gateway"),
      "The response to Wire.EchoText does not follow the protocol (HTTP 502): <h1>Bad gateway",
    ],
    ["a list", (response) => response.end("[]"), "does not follow the protocol (HTTP 200): []"],
    ["nothing", (response) => response.writeHead(204).end(), "does not follow the protocol (HTTP 204)"],
    [
      "a redirect",
      (response) => response.writeHead(301, { Location: "https://other.example/" }).end(),
      "redirects to https://other.example/. Use that address as --url.",
    ],
    ["a closed connection", (response) => response.destroy(), "No response from http://127.0.0.1"],
    [
      "half a response",
      (response) => response.writeHead(200, { "Content-Length": 99 }).write("{", () => response.destroy()),
      /No response from .*: aborted/,
    ],
    ["a text with control characters", (response) => response.end("\u001b[31m"), "<U+001B>[31m"],
  ];
  test.each(broken)("%s is no response", async (_about, respond, message) => {
    await using server = await recordingServer(respond);
    const { code, out, err } = await call("wire", server.url, ["EchoText", '{"text":"a"}']);
    expect({ code, out, err }).toEqual({
      code: 4,
      out: "",
      err: typeof message === "string" ? expect.stringContaining(message) : expect.stringMatching(message),
    });
  });

  test("is a server that does not respond in time", async () => {
    await using server = await recordingServer(() => {});
    const words = ["EchoText", '{"text":"a"}', "--timeout", "300ms"];
    const { code, err } = await call("wire", server.url, words);
    expect({ code, err }).toEqual({
      code: 4,
      err: `ridlkit: No response from ${server.url} within 0.3 s. Allow more time with --timeout.\n`,
    });
  });

  test("is a server that is not there", async () => {
    const { code, err } = await call("wire", "http://127.0.0.1:1", ["EchoText", '{"text":"a"}']);
    expect({ code, err }).toEqual({
      code: 4,
      err: "ridlkit: No response from http://127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1. Start the server, or check --url.\n",
    });
  });
});

describe("an invalid request", () => {
  test("is not sent, and has the messages of the server", async () => {
    const request = '{"feed":5,"from":-1}';
    await using server = await recordingServer();
    const checked = await call("wire", server.url, ["Watch", request]);
    const sent = await call("wire", wide.url, ["Watch", request, "--no-check"]);
    const lines = [
      "  /feed: expected text, found 5",
      "  /from: expected an integer from 0 to 18446744073709551615, found -1",
      "  /count: expected an integer from 0 to 18446744073709551615, found nothing",
    ];
    expect(server.received).toEqual([]);
    expect(checked).toEqual({
      code: 1,
      out: "",
      err: `ridlkit: The request does not match Wire.Watch, and was not sent. To send it as it is, use --no-check.\n${lines.join("\n")}\n`,
    });
    expect(sent.code).toBe(1);
    expect(sent.err).toMatch(/^WebrpcBadRequest \(code -4, HTTP 400\): .*\n/);
    expect(sent.err.split("\n").slice(1, 4)).toEqual(lines);
    const document = await call("wire", server.url, ["Watch", request, "--format", "json"]);
    expect({ code: document.code, ...JSON.parse(document.out) }).toMatchObject({
      code: 1,
      ok: false,
      error: {
        name: "InvalidRequest",
        issues: [{ path: ["feed"] }, { path: ["from"] }, { path: ["count"] }],
      },
    });
  });

  test.each([
    ["not JSON", "not JSON"],
    ["[]", "body: expected an object, found a list of 0"],
    ['{"__proto__":1}', 'a key "__proto__"'],
  ])("%s", async (request, message) => {
    const { code, err } = await call("wire", "http://127.0.0.1:1", ["EchoText", request]);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(`  ${message}`) });
  });

  test("is sent as it is with --no-check", async () => {
    await using server = await recordingServer();
    await call("wire", server.url, ["EchoText", "[ 1 ", "--no-check"]);
    expect(server.received).toMatchObject([{ body: "[ 1 " }]);
  });

  test("that no path can hold is not sent", async () => {
    const words = ["GetChild", '{"id":1,"childId":".."}', "--no-check"];
    for (const more of [[], ["--curl"]]) {
      const { code, err } = await call("routes", "http://127.0.0.1:1", [...words, ...more]);
      expect({ code, err }).toEqual({
        code: 1,
        err: expect.stringContaining("/childId: expected text other than"),
      });
    }
  });
});

describe("an unknown field", () => {
  test.each([
    ["reads", ["FindOrders", '{"filter":{"tags":[],"limt":1,"names":{"any":"x"}}}'], "/filter/limt", "limit"],
    ["routes", ["ListItems", '{"limit":1,"tag":[],"tags":[]}'], "/tag", "tags"],
    ["files", ["Store", '{"title":"t","pictur":"@a","picture":"@package.json"}'], "/pictur", "picture"],
    [
      "files",
      ["Attach", '{"form":{"title":"t","shelf":"TOP","imag":1,"image":"@package.json"},"note":"n"}'],
      "/form/imag",
      "image",
    ],
  ])("of %s %j is reported", async (name, words, pointer, meant) => {
    const { code, out, err } = await call(name, "http://127.0.0.1:1", [...words, "--curl"], {
      cwd: process.cwd(),
    });
    expect({ code, out, err }).toEqual({
      code: 0,
      out: expect.stringMatching(/^curl /),
      err: `ridlkit: The contract has no field ${pointer}, so servers ignore it. Did you mean "${meant}"?\n`,
    });
    const quiet = await call(name, "http://127.0.0.1:1", [...words, "--curl", "-q"], { cwd: process.cwd() });
    expect(quiet.err).toBe("");
  });

  test("does not exist in a map, nor in any value", async () => {
    const names = '{"filter":{"tags":[],"names":{"limt":"x"}},"after":"2024-02-29T12:00:00Z"}';
    expect(await call("reads", "http://127.0.0.1:1", ["FindOrders", names, "--curl"])).toMatchObject({
      err: "",
    });
    const words = ["Shop.Echo", '{"value":{"limt":1}}', "--curl"];
    expect(await call("shop", "http://127.0.0.1:1", words)).toMatchObject({ code: 0, err: "" });
  });
});

describe("the command line", () => {
  test.each([
    [["Ech", "{}"], 'Unknown method "Ech". Did you mean "Echo"?'],
    [["Wire.Ecko", "{}"], 'Unknown method "Wire.Ecko". Did you mean "Wire.Echo"?'],
    [[], "Missing METHOD. Methods: Wire.Echo, Wire.EchoText, Wire.Watch, Wire.Tail, Wire.Beat."],
    [["EchoText", "{}", "x"], '"call" takes METHOD and JSON; found "x". Quote the JSON'],
    [["EchoText", "@no.json"], '"no.json" cannot be read: it does not exist.'],
    [
      ["EchoText", "--timeout", "soon"],
      '--timeout takes a time such as 500ms, 30s or 2m, or 0 for no limit; found "soon"',
    ],
    [["EchoText", "-H", "X-Key"], "--header takes NAME:VALUE"],
    [["EchoText", "-H", "X Key: a"], "--header takes NAME:VALUE"],
    [["EchoText", "-H", "X-Key: a\nb"], "--header takes NAME:VALUE"],
    [["EchoText", "-H", "X-Key: ☃"], 'The header "X-Key" contains characters that HTTP does not allow'],
    [["EchoText", "--get"], "--get calls methods with @cache; Wire.EchoText has none."],
    [["EchoText", "--idempotency-key", "ä"], "--idempotency-key takes 1 to 255 printable ASCII characters"],
    [["EchoText", "--url", "127.0.0.1:4000"], "--url takes a URL such as http://127.0.0.1:4000"],
    [["EchoText", "--curl", "-i"], "--curl and --include cannot be combined"],
  ])("%j is rejected", async (words, message) => {
    const { code, out, err } = await ridlkit([
      "call",
      ...words,
      "--schema",
      fixture("wire"),
      ...(words.includes("--url") ? [] : ["--url", "http://127.0.0.1:1"]),
    ]);
    expect({ code, out, err }).toEqual({ code: 2, out: "", err: expect.stringContaining(message) });
  });

  test("a method name of several services needs its service", async () => {
    using dir = folder({ "two.ridl": `${schemaHead}service A\n  - Ping()\nservice B\n  - Ping()\n` });
    const words = ["call", "Ping", "--schema", "two.ridl", "--url", "http://127.0.0.1:1"];
    const { code, err } = await ridlkit(words, { cwd: dir.path });
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining('Several services have the method "Ping": A.Ping, B.Ping.'),
    });
  });

  test("a method that streams its request is not supported", async () => {
    using dir = folder({ "in.ridl": `${schemaHead}service A\n  - stream Send(part: string)\n` });
    const words = ["call", "Send", "--schema", "in.ridl", "--url", "http://127.0.0.1:1"];
    const { code, err } = await ridlkit(words, { cwd: dir.path });
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("A.Send streams its request") });
  });

  test("a schema with errors is reported", async () => {
    using dir = folder({ "bad.ridl": `${schemaHead}service A\n  - Ping(a: strin)\n` });
    const words = ["call", "Ping", "--schema", "bad.ridl", "--url", "http://127.0.0.1:1"];
    const { code, err } = await ridlkit(words, { cwd: dir.path });
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('"strin"') });
  });

  test("the request comes from a file", async () => {
    using dir = folder({ "request.json": '\uFEFF{ "text": "from a file" }\n' });
    const { out } = await call("wire", wire.url, ["EchoText", "@request.json"], { cwd: dir.path });
    expect(out).toBe('{"text":"from a file"}\n');
  });
});

const schemaHead = "webrpc = v1\nname = shop\nversion = v1.0.0\nbasepath = /rpc\n\n";

describe("the server and the contract", () => {
  const config = (more: object): string =>
    JSON.stringify({ schemas: [{ entry: fixture("routes"), ...more }] });

  test("come from the configuration", async () => {
    const servers = [{ url: `${routes.url}/` }, { url: "http://127.0.0.1:1" }];
    using dir = folder({ "ridlkit.config.json": config({ openapi: { servers } }) });
    const { code, out } = await ridlkit(["call", "GetItem", '{"id":1}'], { cwd: dir.path });
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('"item 1"') });
    const elsewhere = await ridlkit(["call", "GetItem", '{"id":1}'], {
      cwd: dir.path,
      env: { RIDLKIT_URL: "http://127.0.0.1:1" },
    });
    expect(elsewhere.code).toBe(4);
    const flag = await ridlkit(["call", "GetItem", '{"id":1}', "--url", routes.url], {
      cwd: dir.path,
      env: { RIDLKIT_URL: "http://127.0.0.1:1" },
    });
    expect(flag.code).toBe(0);
  });

  test("a server is needed", async () => {
    using dir = folder({ "ridlkit.config.json": config({}) });
    const { code, err } = await ridlkit(["call", "GetItem"], { cwd: dir.path });
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("Missing server: use --url") });
    const env = { RIDLKIT_URL: "localhost" };
    const bad = await ridlkit(["call", "GetItem"], { cwd: dir.path, env });
    expect(bad).toMatchObject({ code: 2, err: expect.stringContaining("RIDLKIT_URL takes a URL") });
  });

  test("methods that the configuration leaves out cannot be called", async () => {
    using dir = folder({ "ridlkit.config.json": config({ services: ["Teams"] }) });
    const words = ["call", "GetItem", "--url", routes.url];
    const { code, err } = await ridlkit(words, { cwd: dir.path });
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('Unknown method "GetItem"') });
  });

  test.each(["/schema.json", "/explorer/schema.json"])("the contract comes from %s", async (path) => {
    using dir = folder({});
    const { out: ir } = await ridlkit(["ir", fixture("routes")]);
    await using server = await recordingServer((response, { url }) => {
      if (url === `/v${path}`) response.end(ir);
      else if (url?.endsWith(".json")) response.writeHead(404).end("not here");
      else response.end('{"item":{}}');
    });
    const words = ["call", "GetItem", '{"id":7}', "--url", `${server.url}/v`, "-H", "X-Key: k"];
    expect(await ridlkit(words, { cwd: dir.path })).toEqual({ code: 0, out: '{"item":{}}\n', err: "" });
    expect(server.received.at(-1)).toMatchObject({ method: "GET", url: "/v/rpc/items/7" });
    expect(server.received.every(({ headers }) => headers["x-key"] === "k")).toBe(true);
  });

  test("a server without a contract needs --schema", async () => {
    using dir = folder({});
    await using server = await recordingServer((response, { url }) =>
      url === "/schema.json" ? response.writeHead(404).end() : response.end("<h1>"),
    );
    const { code, err } = await ridlkit(["call", "GetItem", "--url", server.url], { cwd: dir.path });
    expect({ code, err }).toEqual({
      code: 4,
      err: `ridlkit: ${server.url} serves no schema: neither /schema.json (HTTP 404) nor /explorer/schema.json (not JSON). Name the schema with --schema FILE.\n`,
    });
    const gone = await ridlkit(["call", "GetItem", "--url", "http://127.0.0.1:1"], { cwd: dir.path });
    expect(gone).toMatchObject({
      code: 4,
      err: expect.stringContaining("No response from http://127.0.0.1:1"),
    });
  });
});

describe("credentials", () => {
  const schema = `${schemaHead}service Shop
  @auth:"accessKey"
  - One()
  @auth:"accessKey,secretKey"
  - Two()
  @auth:"session"
  - Cookie()
  @auth:"token"
  - Token()
  - Open()
`;
  const securitySchemes = {
    accessKey: { type: "apiKey", in: "header", name: "X-Own-Key" },
    session: { type: "apiKey", in: "cookie", name: "sid" },
    token: { type: "http", scheme: "bearer" },
  };
  const config = JSON.stringify({ schemas: [{ entry: "shop.ridl", openapi: { securitySchemes } }] });
  const both = { RIDLKIT_AUTH_ACCESS_KEY: "a", RIDLKIT_AUTH_SECRET_KEY: "s" };

  test.each([
    ["One", { RIDLKIT_AUTH: "a" }, { "x-own-key": "a" }],
    ["One", { RIDLKIT_AUTH: "a", RIDLKIT_AUTH_ACCESS_KEY: "b" }, { "x-own-key": "b" }],
    ["Two", both, { "x-own-key": "a", "x-secret-key": "s" }],
    ["Two", { RIDLKIT_AUTH: "a" }, {}],
    ["Cookie", { RIDLKIT_AUTH: "a" }, { cookie: "sid=a" }],
    ["Token", { RIDLKIT_AUTH: "a" }, { authorization: "Bearer a" }],
    ["Token", { RIDLKIT_AUTH: "Token a" }, { authorization: "Token a" }],
    ["Open", { RIDLKIT_AUTH: "a", ...both }, {}],
  ])("%s with %j", async (method, env, expected) => {
    using dir = folder({ "shop.ridl": schema, "ridlkit.config.json": config });
    expect(await sentBy(method, env, dir.path)).toEqual(expected);
  });

  test.each([
    ["One", { RIDLKIT_AUTH: "a" }, { authorization: "Bearer a" }],
    ["Two", both, { "x-access-key": "a", "x-secret-key": "s" }],
  ])("without a configuration, %s with %j", async (method, env, expected) => {
    using dir = folder({ "shop.ridl": schema });
    expect(await sentBy(method, env, dir.path, ["--schema", "shop.ridl"])).toEqual(expected);
  });

  test("a schema without @auth sends RIDLKIT_AUTH with every call, and --header replaces it", async () => {
    using dir = folder({ "shop.ridl": `${schemaHead}service Shop\n  - Open()\n` });
    const words = ["--schema", "shop.ridl"];
    expect(await sentBy("Open", { RIDLKIT_AUTH: "a" }, dir.path, words)).toEqual({
      authorization: "Bearer a",
    });
    const replaced = [...words, "--header", "authorization: Basic b"];
    expect(await sentBy("Open", { RIDLKIT_AUTH: "a" }, dir.path, replaced)).toEqual({
      authorization: "Basic b",
    });
  });

  test.each(["Authorization", "authorization"])(
    "--curl prints no credential beside --header %s",
    async (name) => {
      using dir = folder({ "shop.ridl": schema, "ridlkit.config.json": config });
      const words = ["--url", "http://127.0.0.1:1", "--header", `${name}: Basic b`, "--curl"];
      const env = { RIDLKIT_AUTH: "a" };
      const { code, out } = await ridlkit(["call", "Token", ...words], { cwd: dir.path, env });
      expect(code).toBe(0);
      expect(out.match(/-H '(?!Content-Type)[^']*'/g)).toEqual([`-H '${name}: Basic b'`]);
    },
  );

  test("a value that no header can hold is not printed", async () => {
    using dir = folder({ "shop.ridl": schema, "ridlkit.config.json": config });
    const env = { RIDLKIT_AUTH: "hush\nhush" };
    const { code, err } = await ridlkit(["call", "Token", "--url", "http://127.0.0.1:1"], {
      cwd: dir.path,
      env,
    });
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining("RIDLKIT_AUTH contains characters that are not allowed in a header"),
    });
    expect(err).not.toContain("hush");
  });

  test("missing ones are named", async () => {
    using dir = folder({ "shop.ridl": schema, "ridlkit.config.json": config });
    await using server = await recordingServer((response) =>
      response.writeHead(401).end('{"error":"Unauthorized","code":1,"msg":"who are you?"}'),
    );
    const { code, err } = await ridlkit(["call", "Two", "--url", server.url], { cwd: dir.path });
    expect({ code, err }).toEqual({
      code: 1,
      err:
        "Unauthorized (code 1, HTTP 401): who are you?\n" +
        "No credential was sent: set RIDLKIT_AUTH_ACCESS_KEY and RIDLKIT_AUTH_SECRET_KEY, or pass --header 'NAME: VALUE'.\n",
    });
  });

  /** The headers with credentials that a call sends. */
  async function sentBy(
    method: string,
    env: Readonly<Record<string, string>>,
    cwd: string,
    words: readonly string[] = [],
  ): Promise<object> {
    await using server = await recordingServer();
    await ridlkit(["call", method, "--url", server.url, ...words], { cwd, env });
    const names = ["authorization", "cookie", "x-own-key", "x-access-key", "x-secret-key"];
    const { headers = {} } = server.received[0] ?? {};
    return Object.fromEntries(names.flatMap((name) => (name in headers ? [[name, headers[name]]] : [])));
  }
});

describe("a stream", () => {
  test("is one document a line", async () => {
    const request = '{"feed":"ticks","from":1,"count":3}';
    const { code, out, err } = await call("wire", wire.url, ["Watch", request, "--pretty"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(
      out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toMatchObject([{ sequence: 1, amount: "18446744073709551617" }, { sequence: 2 }, { sequence: 3 }]);
  });

  test("ends with its error", async () => {
    const request = '{"feed":"broken","from":1,"count":9}';
    const { code, out, err } = await call("wire", wire.url, ["Watch", request]);
    expect(out.match(/"sequence":[0-9]/g)).toEqual(['"sequence":1', '"sequence":2']);
    expect({ code, err }).toEqual({ code: 1, err: "Broken (code 101, HTTP 502): the feed broke\n" });
    const document = await call("wire", wire.url, ["Watch", request, "--format", "json"]);
    expect(
      document.out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { item: { sequence: 1 } },
      { item: { sequence: 2 } },
      { ok: false, status: 200, error: { name: "Broken", code: 101 } },
    ]);
  });

  test("that is lost ends with exit code 4", async () => {
    await using server = await recordingServer((response) => {
      response.writeHead(200, { "Content-Type": "application/x-ndjson" });
      response.write('{"line":"one"}\n', () => response.destroy());
    });
    const { code, out, err } = await call("wire", server.url, ["Tail", '{"lines":5}']);
    expect({ code, out, err }).toEqual({
      code: 4,
      out: '{"line":"one"}\n',
      err: expect.stringMatching(/^ridlkit: The connection broke off: .+\n$/),
    });
    expect(server.received).toHaveLength(1);
  });
});
