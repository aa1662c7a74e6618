import { createServer as createHttpServer, type RequestListener, request } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { StackMapper } from "../../../../generator/tools/dev/bundle.ts";
import {
  DevServer,
  type HandlerFailure,
  type ServedVersion,
} from "../../../../generator/tools/dev/dev-server.ts";
import { loopbackOnly } from "../../../../generator/tools/dev/loopback.ts";

interface MadeServer {
  readonly given: unknown;
  readonly options: Readonly<Record<string, unknown>>;
}

/** A version whose entry module has these exports. `made` gets what its server is created from. */
function version(
  own: Readonly<Record<string, unknown>>,
  made: MadeServer[] = [],
  keys = false,
): ServedVersion {
  const loaded = {
    own,
    createServer: (given: unknown, options: MadeServer["options"]) => {
      made.push({ given, options });
      return { given };
    },
    nodeListener:
      (server: object): RequestListener =>
      (_req, res) =>
        void res.end(JSON.stringify(server)),
    ...(keys ? { memoryIdempotencyStore: () => "a store" } : {}),
    stackMapper: { stackOf: String },
  };
  return loaded as unknown as ServedVersion;
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

function get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return new Promise((done, fail) => {
    request(url, { headers, agent: false }, (res) => {
      let body = "";
      res.setEncoding("utf8").on("data", (chunk: string) => {
        body += chunk;
      });
      res.on("end", () => done({ status: res.statusCode, headers: res.headers, body }));
    })
      .on("error", fail)
      .end();
  });
}

const handlers = { Pets: {} };

async function served(): Promise<DevServer> {
  const server = new DevServer(0);
  await server.swap(version({ handlers }), () => undefined);
  return server;
}

test("the server listens when the first code is loaded, or without it when the session says so", async () => {
  const listener: RequestListener = (_req, res) => void res.end("ready");
  const free = createHttpServer().listen(0, "127.0.0.1");
  await new Promise((done) => free.once("listening", done));
  const { port } = free.address() as AddressInfo;
  await new Promise((done) => free.close(done));
  await using server = new DevServer(port);
  const url = `http://127.0.0.1:${port}`;
  await expect(get(url)).rejects.toThrow("ECONNREFUSED");
  await expect(server.swap(version({}), () => undefined)).rejects.toThrow("The entry module");
  await expect(get(url)).rejects.toThrow("ECONNREFUSED");
  await server.listen();
  expect(await get(url)).toMatchObject({
    status: 503,
    headers: { "retry-after": "1", "content-type": "text/plain; charset=utf-8" },
    body: "Nothing is served yet.\n\nSee the terminal that runs ridlkit.\n",
  });
  server.report({ title: "The schema has errors", text: "pets.ridl:3:5", root: "/pets" });
  expect(await get(url)).toMatchObject({
    status: 503,
    headers: { refresh: "1" },
    body: "The schema has errors\n\npets.ridl:3:5\n",
  });
  expect(server.explorerUrl).toBeUndefined();
  await server.swap(version({ listener }), () => undefined);
  expect(await get(url)).toMatchObject({ status: 200, body: "ready" });
});

test("a port that is taken is an error, unless a later one may be used", async () => {
  await using server = await served();
  const { port } = new URL(server.url);
  await using second = new DevServer(Number(port));
  await expect(second.swap(version({ handlers }), () => undefined)).rejects.toThrow("EADDRINUSE");
  await using third = new DevServer(Number(port), loopbackOnly, Number(port) + 19);
  await third.swap(version({ handlers }), () => undefined);
  expect(Number(new URL(third.url).port)).toBeGreaterThan(Number(port));
  expect([server.busyPort, third.busyPort]).toEqual([undefined, Number(port)]);
  expect(await get(third.url)).toMatchObject({ status: 200 });
});

test.each([
  [
    { host: "evil.example" },
    'the Host header "evil.example" is not this machine: call http://localhost, or allow the name with --allow-host',
  ],
  [
    { origin: "https://evil.example" },
    'pages of "https://evil.example" may not call this server: serve the page from http://localhost, or allow its origin with --allow-origin',
  ],
])("a request with %j is refused as generated servers refuse", async (headers, cause) => {
  await using server = await served();
  const { status, body } = await get(server.url, headers);
  expect([status, JSON.parse(body)]).toEqual([
    400,
    { error: "WebrpcBadRequest", code: -4, msg: "bad request", cause, status: 400 },
  ]);
});

const isReady = { openAny: () => undefined };

test.each<[string, Readonly<Record<string, unknown>>, string, unknown]>([
  ["a server", { server: isReady, handlers }, "{}", undefined],
  ["handlers", { server: {}, handlers, createHandlers: () => ({}) }, '{"given":{"Pets":{}}}', handlers],
  [
    "a function that creates handlers",
    { createHandlers: async () => handlers },
    '{"given":{"Pets":{}}}',
    handlers,
  ],
  [
    "a listener",
    { listener: ((_req, res) => void res.end("own")) satisfies RequestListener, server: isReady },
    "own",
    undefined,
  ],
])("a module that exports %s is served", async (_case, own, body, given) => {
  const made: MadeServer[] = [];
  await using server = new DevServer(0);
  await server.swap(version(own, made), () => undefined);
  expect((await get(server.url)).body).toBe(body);
  expect(made.map((each) => each.given)).toEqual(given === undefined ? [] : [given]);
  for (const { options } of made) {
    expect(options["checkResponses"]).toBe(true);
    expect(options).not.toHaveProperty("idempotency");
  }
});

test.each<[string, Readonly<Record<string, unknown>>]>([
  ["nothing", {}],
  ["handlers that are no object", { handlers: null }],
  ["a function that creates none", { createHandlers: () => undefined }],
  ["a server of another kind", { server: {} }],
  ["a listener that is no function", { listener: {} }],
])("a module that exports %s is refused, and the version before keeps serving", async (_case, own) => {
  await using server = new DevServer(0);
  await server.swap(version({ handlers }), () => undefined);
  await expect(server.swap(version(own), () => undefined)).rejects.toThrow(
    /^The entry module must export "handlers"/,
  );
  expect((await get(server.url)).body).toBe('{"given":{"Pets":{}}}');
});

test("keys are kept in memory if the schema has keys, and all callers share them", async () => {
  const made: MadeServer[] = [];
  await using server = new DevServer(0);
  await server.swap(version({ handlers }, made, true), () => undefined);
  const given = made[0]?.options["idempotency"] as { store: unknown; scope: () => string } | undefined;
  expect([given?.store, given?.scope()]).toEqual(["a store", ""]);
});

const method = { service: "Pets", name: "Get" };

test.each<[string, object, HandlerFailure | undefined]>([
  ["is not reported: an error of the schema", { method, status: 404, cause: "x" }, undefined],
  [
    "is not reported: an error of the schema with status 500",
    { method, status: 500, cause: undefined },
    undefined,
  ],
  ["is not reported: another status", { method, status: 501, cause: "x" }, undefined],
  ["is reported", { method, status: 500, cause: "x" }, { method: "Pets.Get", error: "x" }],
  [
    "is reported as a fault of the response",
    { method, status: 500, cause: "x", error: { name: "WebrpcBadResponse" } },
    { method: "Pets.Get", error: "The response does not match the schema: x" },
  ],
])("what a handler throws %s", async (_case, call, expected) => {
  const made: MadeServer[] = [];
  const failures: HandlerFailure[] = [];
  await using server = new DevServer(0);
  await server.swap(version({ handlers }, made), (failure) => failures.push(failure));
  const onResponse = made[0]?.options["onResponse"] as ((done: object) => void) | undefined;
  onResponse?.(call);
  expect(failures).toEqual(expected === undefined ? [] : [expected]);
});

test("a version is closed once, when its last call has ended", async () => {
  const closed: string[] = [];
  const held: (() => void)[] = [];
  const listener: RequestListener = (_req, res) => void held.push(() => res.end("first"));
  const close = (name: string) => (): void => void closed.push(name);
  {
    await using server = new DevServer(0);
    await server.swap(version({ listener, close: close("first") }), () => undefined);
    const call = get(server.url);
    await expect.poll(() => held.length).toBe(1);
    await server.swap(version({ handlers, close: close("second") }), () => undefined);
    expect((await get(server.url)).body).toBe('{"given":{"Pets":{}}}');
    expect(closed).toEqual([]);
    held[0]?.();
    expect((await call).body).toBe("first");
    await expect.poll(() => closed).toEqual(["first"]);
    await server.swap(version({ handlers, close: close("third") }), () => undefined);
    await expect.poll(() => closed).toEqual(["first", "second"]);
  }
  await expect.poll(() => closed).toEqual(["first", "second", "third"]);
});

test("a close that fails does no harm", async () => {
  await using server = new DevServer(0);
  const failing = { handlers, close: () => Promise.reject(new Error("no")) };
  await server.swap(version(failing), () => undefined);
  await server.swap(version({ handlers }), () => undefined);
  expect((await get(server.url)).status).toBe(200);
});

const map = JSON.stringify({
  version: 3,
  sources: ["pets.ts", "ridlkit:entry"],
  names: [],
  // Line 1 of the bundle is line 1, column 1 of pets.ts; line 2 is that of the entry.
  mappings: "AAAA;ACAA",
});

test.each<[string, unknown, string]>([
  ["a value", "text", "text"],
  [
    "a frame of the bundle",
    { stack: "Error: x\n    at get (/b.mjs:1:1)" },
    "Error: x\n    at get (pets.ts:1:1)",
  ],
  ["a frame without a function", { stack: "Error: x\n    at /b.mjs:1:1" }, "Error: x\n    at pets.ts:1:1"],
  [
    "a frame of Node",
    { stack: "Error: x\n    at node:net:1:1\n    at /b.mjs:1:1" },
    "Error: x\n    at pets.ts:1:1",
  ],
  ["a frame of ridlkit", { stack: "Error: x\n    at /b.mjs:2:1" }, "Error: x"],
  ["a message with a position", { stack: "Error: at 1:1" }, "Error: at 1:1"],
  ["no stack", { stack: undefined, message: "only" }, "only"],
])("a stack is mapped to files: %s", (_case, thrown, expected) => {
  const error = typeof thrown === "object" ? Object.assign(new Error(""), thrown) : thrown;
  expect(new StackMapper("/b.mjs", map).stackOf(error)).toBe(expected);
});

test("a stack is followed by the causes of the error, and by the errors of an AggregateError", () => {
  const mapper = new StackMapper("/b.mjs", map);
  const down = Object.assign(new Error(""), {
    stack: "Error: db down\n    at node:net:1:1\n    at /b.mjs:1:1",
  });
  const all = new AggregateError([down, "no host"], "all failed", { cause: { port: 1 } });
  const failed = new Error("fetch failed", { cause: all });
  expect(mapper.stackOf(failed)).toBe(
    "Error: fetch failed\nCaused by: AggregateError: all failed\nCaused by: { port: 1 }\nCaused by: Error: db down\n    at pets.ts:1:1\nCaused by: no host",
  );
  down.cause = failed;
  expect(mapper.stackOf(down)).toMatch(/^Error: db down[\s\S]*Caused by: no host$/);
  const wrapper = Object.assign(new Error("", { cause: down }), {
    stack: `Error: undeclared\n${down.stack}`,
  });
  expect(mapper.stackOf(wrapper).match(/db down/g)).toHaveLength(1);
});

test.each([9, 10, 11])("of %i errors, the text has at most 10", (count) => {
  const errors = Array.from({ length: count - 1 }, (_, index) => `cause ${index}`);
  const text = new StackMapper("/b.mjs", map).stackOf(new AggregateError(errors, "all failed"));
  expect(text.match(/all failed|cause \d/g)).toHaveLength(Math.min(count, 10));
});

test("the port of a server is free again after it is disposed", async () => {
  const server = await served();
  const port = Number(new URL(server.url).port);
  await server[Symbol.asyncDispose]();
  const other = createHttpServer().listen(port, "127.0.0.1");
  await new Promise((done) => other.once("listening", done));
  other.close();
});

test("open pages get problems, and that the next version is served", async () => {
  await using server = new DevServer(0);
  const contract = { irText: "{}", hostInfo: () => ({}), examplesText: () => "{}", getPaths: [] };
  const next = { ...version({ handlers }), contract };
  await server.swap(next, () => undefined);
  const { body } = await fetch(`${server.url}/explorer/problems`);
  const events = body?.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  expect(await events?.next()).toMatchObject({ value: "data: null\n\n" });
  const problem = { title: "Pets.GetPet failed", text: "Error: no pets", root: "/pets" };
  server.report(problem);
  expect(await events?.next()).toMatchObject({ value: `data: ${JSON.stringify(problem)}\n\n` });
  // A page that is opened later starts with it.
  const later = (await fetch(`${server.url}/explorer/problems`)).body?.pipeThrough(new TextDecoderStream());
  expect(await later?.[Symbol.asyncIterator]().next()).toMatchObject({
    value: `data: ${JSON.stringify(problem)}\n\n`,
  });
  await server.swap(next, () => undefined);
  expect(await events?.next()).toMatchObject({ value: "data: null\n\n" });
  expect(JSON.parse((await get(`${server.url}/explorer/host.json`)).body)).toMatchObject({
    problems: "problems",
  });
});
