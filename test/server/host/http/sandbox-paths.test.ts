/** Every refusal of /sandbox/… is the JSON error of the API's refusals. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Koa from "koa";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CallTooLong, DatabaseBusy, DatabaseFault } from "../../../../server/base/storage/fault.ts";
import { sandboxPaths } from "../../../../server/host/http/sandbox-paths.ts";
import type { Live } from "../../../../server/host/sandbox-page/live.ts";
import { type RawAnswer, type RawRequest, rawRequest } from "../../../support/raw-http.ts";

/** What `live.start` throws. */
let fault: unknown;
/** What `live.trades` does. Undefined: there are none. */
let makeTrade: (() => Promise<string>) | undefined;
let server: Server;
let port: number;
let stop: AbortController;
const secretKey = "a.b.c";
const authorization = `BEARER ${secretKey}`;

beforeEach(async () => {
  fault = undefined;
  makeTrade = undefined;
  stop = new AbortController();
  const live = {
    secretKey,
    start: async () => {
      if (fault !== undefined) throw fault;
      return {};
    },
    replay: async () => 1,
    get trades() {
      return makeTrade === undefined ? undefined : { make: makeTrade };
    },
    receiver: { arrived: () => [], take: async () => 204, answerWith: () => {} },
    stop: stop.signal,
    async *watch(_choice: unknown, _url: string, signal: AbortSignal) {
      yield [{ part: "blocks", json: "[]" }];
      if (!signal.aborted) await once(signal, "abort");
    },
  };
  const koa = new Koa();
  koa.silent = true;
  koa.use(sandboxPaths(live as unknown as Live, "webrpc@test").routes());
  koa.use((ctx) => {
    ctx.body = "the next middleware";
  });
  server = createServer(koa.callback()).listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
});

afterEach(async () => {
  stop.abort();
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

function send(method: string, path: string, more: Partial<RawRequest> = {}): Promise<RawAnswer> {
  return rawRequest(port, {
    method,
    path,
    ...more,
    headers: { Host: `localhost:${port}`, Authorization: authorization, ...more.headers },
  });
}

function expectRefusal(answer: RawAnswer, envelope: object): void {
  expect(JSON.parse(answer.body)).toEqual({
    msg: expect.any(String),
    status: answer.status,
    ...envelope,
  });
  expect(answer.headers).toMatchObject({
    "content-type": "application/json",
    webrpc: "webrpc@test",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
}

test.each([
  ["GET", "/sandbox/nothing"],
  ["POST", "/sandbox/nothing"],
  ["GET", "/sandbox/start/more"],
  ["GET", "/sandbox/start/"],
  ["GET", "/sandbox/Start"],
  ["GET", "/sandbox/%zz"],
])("%s %s is WebrpcBadRoute", async (method, path) => {
  const refusal = { error: "WebrpcBadRoute", code: -2, status: 404, cause: "the sandbox has no such path" };
  expectRefusal(await send(method, path), refusal);
});

test.each([
  ["POST", "/sandbox/start", "GET, HEAD"],
  ["DELETE", "/sandbox/live", "GET, HEAD"],
  ["OPTIONS", "/sandbox/start", "GET, HEAD"],
  ["GET", "/sandbox/replay", "POST"],
  ["GET", "/sandbox/receiver/answers", "POST"],
  ["PUT", "/sandbox/receiver", "GET, HEAD, POST"],
])("%s %s is WebrpcBadMethod, with the methods that are accepted", async (method, path, allow) => {
  const answer = await send(method, path);
  const cause = `this path accepts ${allow}`;
  expectRefusal(answer, { error: "WebrpcBadMethod", code: -3, status: 405, cause });
  expect(answer.headers["allow"]).toBe(allow);
});

test("a request of a foreign page is PermissionDenied, whatever the path and method", async () => {
  for (const headers of [{ Host: "evil.example" }, { Origin: "https://evil.example" }])
    for (const [method, path] of [
      ["GET", "/sandbox/start"],
      ["OPTIONS", "/sandbox/start"],
      ["DELETE", "/sandbox/start"],
      ["GET", "/sandbox/nothing"],
    ] as const)
      expectRefusal(await send(method, path, { headers }), {
        error: "PermissionDenied",
        code: 1001,
        status: 403,
        cause: "a sandbox only serves requests from its own machine",
      });
});

test("paths of a network named sandbox are left to the API", async () => {
  const headers = { Host: "evil.example" };
  for (const path of ["/sandbox/rpc/Marketplace/GetOrders", "/sandbox", "/other"])
    expect(await send("POST", path, { headers })).toMatchObject({ status: 200, body: "the next middleware" });
});

describe("a body", () => {
  const ofSize = (bytes: number): string => {
    const json = '{"chainId":1,"sequence":1}';
    return json + " ".repeat(bytes - json.length);
  };
  const chunked = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

  test.each([1_048_575, 1_048_576])("of %i bytes is read", async (bytes) => {
    expect((await send("POST", "/sandbox/replay", { body: ofSize(bytes) })).status).toBe(200);
  });

  test.each([1_048_577, 16_777_216])("of %i bytes is WebrpcBadRequest", async (bytes) => {
    const cause = "the body is larger than 1048576 bytes";
    const refusal = { error: "WebrpcBadRequest", code: -4, status: 400, cause };
    const body = ofSize(bytes);
    const headers = { "Transfer-Encoding": "chunked" };
    for (const path of ["/sandbox/replay", "/sandbox/receiver"]) {
      expectRefusal(await send("POST", path, { body }), refusal);
      expectRefusal(await send("POST", path, { body: chunked(body), headers }), refusal);
    }
  });
});

test("twenty pages may watch; one more is Overloaded until one leaves", async () => {
  const watch = (signal: AbortSignal): Promise<Response> =>
    fetch(`http://localhost:${port}/sandbox/live`, { headers: { authorization }, signal });
  const leaving = new AbortController();
  const first = await watch(leaving.signal);
  for (let pages = 1; pages < 20; pages++) expect((await watch(stop.signal)).status).toBe(200);
  const refused = await send("GET", "/sandbox/live");
  const cause = "too many pages are watching; close one";
  expectRefusal(refused, { error: "Overloaded", code: 1901, status: 503, cause });
  expect(refused.headers["retry-after"]).toBe("1");
  leaving.abort();
  await expect(first.text()).rejects.toThrow();
  await expect.poll(async () => (await watch(stop.signal)).status).toBe(200);
});

test.each([
  [new DatabaseBusy("busy"), { error: "Overloaded", code: 1901, status: 503 }],
  [
    new CallTooLong("the read took longer than 1 ms; request less data, or try again"),
    {
      error: "Overloaded",
      code: 1901,
      status: 503,
      cause: "the read took longer than 1 ms; request less data, or try again",
    },
  ],
  [
    new DatabaseFault("the database is away"),
    { error: "Overloaded", code: 1901, status: 503, cause: "the database does not respond" },
  ],
  [new Error("a secret"), { error: "WebrpcInternalError", code: -7, status: 500 }],
])("%s while reading records is the same error as for methods", async (thrown, envelope) => {
  fault = thrown;
  expectRefusal(await send("GET", "/sandbox/start"), envelope);
});

describe("POST /sandbox/trades", () => {
  const trade = () => send("POST", "/sandbox/trades", { body: "{}" });

  test("says what was traded", async () => {
    makeTrade = async () => "Ada bought token 1 for 40 USD.";
    const { status, body } = await trade();
    expect([status, JSON.parse(body)]).toEqual([200, { trade: "Ada bought token 1 for 40 USD." }]);
  });

  test("gives the chain's reason if the trade fails", async () => {
    makeTrade = () => Promise.reject(new Error("the local chain rejected acceptRequest of 0x1"));
    const cause = "the trade failed: the local chain rejected acceptRequest of 0x1";
    expectRefusal(await trade(), { error: "Aborted", code: 1005, status: 400, cause });
  });

  test("says what is needed if the sandbox makes no trades", async () => {
    const cause = "only npm start makes trades, and only with its local chain";
    expectRefusal(await trade(), { error: "WebrpcBadRequest", code: -4, status: 400, cause });
  });
});
