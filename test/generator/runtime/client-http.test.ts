import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { Agent } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../../generator/runtime/src/client.ts";
import { result } from "../../../generator/runtime/src/client.ts";
import type { RpcError } from "../../../generator/runtime/src/errors.ts";
import { limitedFetch } from "../../../generator/runtime/src/transport.ts";
import { undiciTransport } from "../../../generator/runtime/src/undici.ts";
import { getOrders } from "../../fixtures/market/generated/client.ts";

/** How the server responds to a call, by the first id in its request. */
const behavior: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
  echo: (request, response) =>
    json(response, 200, { orders: [], method: request.method, path: request.url, ...picked(request) }),
  refuse: (_request, response) =>
    json(response, 429, { error: "RateLimited", code: 1007, msg: "slow down" }, { "Retry-After": "7" }),
  page: (_request, response) =>
    response.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><p>Sign in"),
  empty: (_request, response) => response.writeHead(204).end(),
  list: (_request, response) => json(response, 200, []),
  elsewhere: (_request, response) =>
    response.writeHead(307, { Location: "/rpc/Marketplace/GetOrders" }).end(),
  slow: (_request, response) => response.on("close", () => givenUp++),
  stalled: (_request, response) => {
    response.on("close", () => givenUp++);
    response.writeHead(200).write('{"orders":');
  },
  hangUp: (_request, response) => {
    response.writeHead(200, { "Content-Length": "1000" }).write('{"orders":');
    setTimeout(() => response.destroy(), 5);
  },
  reset: (_request, response) => response.destroy(),
  huge: (_request, response) => response.writeHead(200).end(`{"orders":["${"x".repeat(3_000_000)}"]}`),
  bomb: (_request, response) =>
    response
      .writeHead(200, { "Content-Encoding": "gzip" })
      .end(gzipSync(`{"orders":["${"x".repeat(3_000_000)}"]}`)),
};

const dispatcher = new Agent();

/** Responses that the client cut off before they ended. */
let givenUp = 0;
let server: Server;
let url = "";

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const { ids } = JSON.parse(await text(request)) as { ids: readonly string[] };
    behavior[ids[0] ?? ""]?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await dispatcher.destroy();
  server.closeAllConnections();
  server.close();
});

describe.each<[string, Partial<Client>]>([
  ["fetch", {}],
  ["bounded fetch", { transport: limitedFetch(4_000_000) }],
  ["undici", { transport: undiciTransport(dispatcher) }],
  ["bounded undici", { transport: undiciTransport(dispatcher, { maxResponseBytes: 4_000_000 }) }],
])("over %s", (name, settings) => {
  test("a call sends its request and receives the response", async () => {
    expect(await ask("echo")).toMatchObject({
      method: "POST",
      path: "/rpc/Marketplace/GetOrders",
      "content-type": "application/json",
      webrpc: "webrpc@v0.48.0;ridlkit@0.0.0-test;Market@v1.2.0",
    });
  });

  test("an error of the server is read with its header", async () => {
    expect(await failureOf("refuse")).toMatchObject({
      code: 1007,
      status: 429,
      msg: "slow down",
      retryAfter: "7",
    });
  });

  test.each([
    ["page", 200],
    ["empty", 204],
    ["list", 200],
    ["elsewhere", 307],
  ])("%s is a bad response", async (what, status) => {
    expect(await failureOf(what)).toMatchObject({ code: -5, status });
  });

  test("a redirect is named as the cause", async () => {
    expect(await failureOf("elsewhere")).toMatchObject({ cause: "redirects are not followed" });
  });

  test.each(["hangUp", "reset"])("%s is no answer", async (what) => {
    expect(await failureOf(what)).toMatchObject({ code: -1, side: "request", status: 400 });
  });

  test.each(["slow", "stalled"])("%s ends at the timeout and closes the connection", async (what) => {
    const before = givenUp;
    expect(await failureOf(what, { timeoutMs: 300 })).toMatchObject({ code: -1, cause: "timeout" });
    await expect.poll(() => givenUp).toBe(before + 1);
  });

  test.each(["slow", "stalled"])("%s ends when the caller aborts", async (what) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 30);
    expect(await failureOf(what, { signal: controller.signal })).toMatchObject({ code: -8 });
  });

  test("a huge response is read within the limit", async () => {
    expect(JSON.stringify(await ask("huge")).length).toBeGreaterThan(3_000_000);
  });

  test("an unreachable server is a failed request", async () => {
    const answer = result(getOrders({ url: "http://127.0.0.1:1", ...settings }, { ids: [] }));
    expect(await answer).toMatchObject({ ok: false, error: { code: -1, name: "WebrpcRequestFailed" } });
  });

  function ask(what: string, options: Parameters<typeof getOrders>[2] = {}): ReturnType<typeof getOrders> {
    return getOrders({ url: `${url}/`, ...settings }, { ids: [what] }, options);
  }

  async function failureOf(what: string, options: Parameters<typeof getOrders>[2] = {}): Promise<RpcError> {
    const outcome = await result(ask(what, options));
    if (outcome.ok) throw new Error(`${name} ${what} succeeded`);
    return outcome.error;
  }
});

describe("a response above the limit is a bad response", () => {
  test.each(["huge", "bomb"])("%s", async (what) => {
    const client: Client = { url, transport: limitedFetch(1_000_000) };
    const outcome = await result(getOrders(client, { ids: [what] }));
    expect(outcome.error).toMatchObject({
      code: -5,
      status: 200,
      cause: expect.stringMatching(/^the response is larger than 1000000 bytes: /),
    });
  });

  test("over undici", async () => {
    const client: Client = { url, transport: undiciTransport(dispatcher, { maxResponseBytes: 1_000_000 }) };
    const outcome = await result(getOrders(client, { ids: ["huge"] }));
    expect(outcome.error).toMatchObject({
      code: -5,
      cause: expect.stringMatching(/^the response is larger than 1000000 bytes: /),
    });
  });
});

function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));
}

function picked({ headers }: IncomingMessage): object {
  return { "content-type": headers["content-type"], webrpc: headers["webrpc"] };
}
