import { once } from "node:events";
import { connect, type Socket } from "node:net";
import Koa, { type Context } from "koa";
import { koaMiddleware } from "ridlkit-runtime/koa";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createPartialServer } from "../../../../generated/server.ts";
import { type ApiServer, openApiServer } from "../../../../server/host/http/api-server.ts";
import { ArrivingBodies } from "../../../../server/host/http/arriving-bodies.ts";
import { trustProxies } from "../../../../server/host/http/caller-address.ts";
import { Capacity } from "../../../../server/host/http/capacity.ts";
import { Connections } from "../../../../server/host/http/connections.ts";
import { addressOf } from "../../../../server/host/http/guards.ts";
import {
  bodyMinRate,
  rateGraceSeconds,
  serverOptions,
  silenceMaxMs,
} from "../../../../server/host/http/limits.ts";
import { parseAnswer, type RawAnswer } from "../../../support/raw-http.ts";

interface Running extends AsyncDisposable {
  readonly apiServer: ApiServer;
  readonly port: number;
  readonly bodies: ArrivingBodies;
  readonly refused: string[];
  /** Handlers answer once it is called. */
  readonly release: () => void;
}

async function start(connectionsPerAddress: number, proxies: readonly string[] = []): Promise<Running> {
  const refused: string[] = [];
  const onRejection = (reason: string): void => void refused.push(reason);
  const trustedProxies = trustProxies(proxies);
  const bodies = new ArrivingBodies({ addressOf: (ctx) => addressOf(ctx, trustedProxies), onRejection });
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const ping = async (): Promise<{ status: boolean }> => {
    await released;
    return { status: true };
  };
  const service = new Proxy({}, { get: () => ping, has: () => true });
  const handlers = { API: service, Metadata: service };
  const rpc = createPartialServer<undefined, Context>(handlers as never, {
    watchBody: (body) => bodies.watch(body),
  });
  const koa = new Koa();
  koa.use(koaMiddleware(rpc, { outside: "refuse" }));
  const apiServer = await openApiServer(
    { koa, rpc, bodies },
    {
      host: "127.0.0.1",
      port: 0,
      maxCalls: 100,
      maxLagMs: 10_000,
      drainMs: 0,
      connectionsPerAddress,
      trustedProxies,
      onRejection,
      onCutOff: () => {},
    },
  );
  return {
    apiServer,
    port: Number(new URL(apiServer.url).port),
    bodies,
    refused,
    release: () => release(),
    [Symbol.asyncDispose]: () => apiServer[Symbol.asyncDispose](),
  };
}

/** A connection that waits for one answer at a time. */
class Caller {
  readonly socket: Socket;
  #text = "";

  constructor(port: number, from = "127.0.0.1") {
    this.socket = connect({ port, host: "127.0.0.1", localAddress: from });
    this.socket.setEncoding("utf8").on("data", (text: string) => {
      this.#text += text;
    });
    this.socket.on("error", () => {});
  }

  call(headers: Readonly<Record<string, string>> = {}, body = "{}", length = body.length): this {
    const lines = Object.entries({ Host: "a", "Content-Type": "application/json", ...headers });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    this.socket.write(`POST /rpc/API/Ping HTTP/1.1\r\n${head}Content-Length: ${length}\r\n\r\n${body}`);
    return this;
  }

  async answer(): Promise<RawAnswer> {
    for (;;) {
      const answer = parseAnswer(this.#text);
      const length = Number(answer.headers["content-length"] ?? Number.NaN);
      if (answer.body.length >= length) {
        this.#text = "";
        return answer;
      }
      await Promise.race([once(this.socket, "data"), once(this.socket, "close")]);
    }
  }
}

function expectEnvelope(answer: RawAnswer, error: object): void {
  expect(JSON.parse(answer.body)).toMatchObject(error);
  expect(answer.headers["content-type"]).toBe("application/json");
}

describe("connections of one address", () => {
  test("are served up to the limit; one more is RateLimited, with CORS headers, until one closes", async () => {
    await using running = await start(2);
    running.release();
    const kept = [new Caller(running.port), new Caller(running.port)];
    for (const caller of kept) expect(await caller.call().answer()).toMatchObject({ status: 200 });
    const over = await new Caller(running.port).answer();
    expect(over).toMatchObject({
      status: 429,
      headers: {
        "retry-after": "1",
        "x-ratelimit-scope": "address-connections",
        "access-control-allow-origin": "*",
        connection: "close",
      },
    });
    expectEnvelope(over, { error: "RateLimited", code: 1007, status: 429 });
    expect(running.refused).toEqual(["callerConnections"]);
    expect(await new Caller(running.port, "127.0.0.2").call().answer()).toMatchObject({ status: 200 });
    kept[0]?.socket.destroy();
    await expect.poll(() => running.apiServer.load().connections).toBe(2);
    expect(await new Caller(running.port).call().answer()).toMatchObject({ status: 200 });
  });

  test("behind a trusted proxy count requests in flight, separately for each caller", async () => {
    await using running = await start(1, ["127.0.0.1"]);
    const from = (address: string): Caller => new Caller(running.port).call({ "X-Forwarded-For": address });
    const [anna, ben] = [from("192.0.2.1"), from("192.0.2.2")];
    await expect.poll(() => running.apiServer.load().calls).toBe(2);
    const over = await from("192.0.2.1").answer();
    expect(over).toMatchObject({ status: 429 });
    expectEnvelope(over, { error: "RateLimited", code: 1007 });
    running.release();
    expect(await anna.answer()).toMatchObject({ status: 200 });
    expect(await ben.answer()).toMatchObject({ status: 200 });
    await expect.poll(() => running.apiServer.load().calls).toBe(0);
    expect(await from("192.0.2.1").answer()).toMatchObject({ status: 200 });
  });

  test("a read by GET counts as a call while its handler runs", async () => {
    await using running = await start(2);
    const request = JSON.stringify({ chainId: "1", contractAddress: `0x${"1".repeat(40)}` });
    const query = encodeURIComponent(request);
    const call = fetch(`http://127.0.0.1:${running.port}/rpc/Metadata/TokenCollectionFilters?q=${query}`);
    await expect.poll(() => running.apiServer.load().calls).toBe(1);
    running.release();
    await (await call).text();
    await expect.poll(() => running.apiServer.load().calls).toBe(0);
  });

  test("a caller without a proxy cannot choose an address by X-Forwarded-For", async () => {
    await using running = await start(1);
    running.release();
    const first = new Caller(running.port).call({ "X-Forwarded-For": "192.0.2.1" });
    expect(await first.answer()).toMatchObject({ status: 200 });
    expect(await new Caller(running.port).call({ "X-Forwarded-For": "192.0.2.2" }).answer()).toMatchObject({
      status: 429,
    });
  });
});

describe("the capacity", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test.each([
    [9_999, 200],
    [10_000, 503],
    [10_001, 503],
  ])("with %i open connections one more gets %i", async (open, status) => {
    await using running = await start(300);
    running.release();
    vi.spyOn(Connections.prototype, "count", "get").mockReturnValue(open);
    const caller = new Caller(running.port);
    if (status === 200) caller.call();
    const answer = await caller.answer();
    expect(answer.status).toBe(status);
    if (status === 200) return;
    expect(answer.headers).toMatchObject({ "retry-after": "1", connection: "close" });
    expectEnvelope(answer, { error: "Overloaded", code: 1901 });
    expect(running.refused).toEqual(["connections"]);
  });

  test.each([
    [249, true],
    [250, false],
    [251, false],
  ])("with %i running calls and a limit of 250, one more is accepted: %s", (calls, isTaken) => {
    const capacity = new Capacity({ maxCalls: 250, maxLagMs: 10_000 });
    for (let call = 0; call < calls; call++) capacity.handlerStarted();
    expect(capacity.admits()).toBe(isTaken);
    capacity.handlerEnded();
    expect(capacity.admits()).toBe(calls <= 250);
  });

  test("the timeouts for senders are those of docs/platform/contract.md", () => {
    expect(serverOptions).toMatchObject({ headersTimeout: 10_000, requestTimeout: 30_000 });
    expect(silenceMaxMs).toBe(15_000);
  });
});

describe("bodies", () => {
  test("with a large announced size and no data hold no memory, and are rejected as too slow", async () => {
    await using running = await start(300);
    running.release();
    const slow = Array.from({ length: 100 }, () => new Caller(running.port).call({}, "{", 1_048_576));
    await expect.poll(() => running.bodies.bytes).toBe(slow.length);
    const padded = JSON.stringify({ padding: "x".repeat(100_000) });
    expect(await new Caller(running.port).call({}, padded).answer()).toMatchObject({ status: 200 });
    for (let second = 0; second <= rateGraceSeconds; second++) running.bodies.tick();
    for (const caller of slow) {
      const answer = await caller.answer();
      expect(answer).toMatchObject({ status: 400, headers: { connection: "close" } });
      expectEnvelope(answer, {
        error: "WebrpcBadRequest",
        code: -4,
        cause: `the body arrived too slowly: send at least ${bodyMinRate} bytes a second`,
      });
    }
    expect(running.bodies.bytes).toBe(0);
    expect(running.refused).toEqual(slow.map(() => "slow"));
  });

  test("that are rejected for their memory leave the connection usable", async () => {
    await using running = await start(300);
    running.release();
    const greedy = new Caller(running.port).call({}, `{"padding":"${"x".repeat(100_000)}`, 150_000);
    await expect.poll(() => running.bodies.bytes).toBeGreaterThan(100_000);
    // Many others, each of whom holds less.
    for (let other = 0; other < 1_000; other++) {
      const carrier = { state: { address: `other ${other}` } } as unknown as Context;
      running.bodies.watch({ carrier, hasFiles: false, refuse: () => {} }).arrived(100_000);
      if (running.refused.length > 0) break;
    }
    const refused = await greedy.answer();
    expect(refused).toMatchObject({ status: 503, headers: { "retry-after": "1" } });
    expectEnvelope(refused, { error: "Overloaded", code: 1901 });
    expect(running.refused).toEqual(["overloaded"]);
    greedy.socket.write("x".repeat(150_000 - 100_012));
    expect(await greedy.call().answer()).toMatchObject({ status: 200 });
  });
});
