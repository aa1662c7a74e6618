/** Callers that do not read their responses, over every adapter, on real sockets. */
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import Koa, { type Middleware } from "koa";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { koaMiddleware } from "../../../generator/runtime/src/koa.ts";
import type { Limits } from "../../../generator/runtime/src/options.ts";
import { type UnreadResponse, UnreadResponses } from "../../../generator/runtime/src/options.ts";
import type { Reply } from "../../../generator/runtime/src/reply.ts";
import { createServer as createFeeds } from "../../fixtures/feeds/generated/server.ts";
import { createServer as createFileServer } from "../../fixtures/files/generated/server.ts";
import { createServer } from "../../fixtures/shop/generated/server.ts";
import { adapterNames, listen, serveWith } from "../../support/adapters.ts";
import { postBytes } from "../../support/open-loop.ts";
import { shopHandlers } from "./shop.ts";

const mib = 1024 * 1024;
/** Above what the system's buffers of a connection hold. */
const text = "x".repeat(24 * mib);
const complete = JSON.stringify({ value: text }).length;

type Options = NonNullable<Parameters<typeof createServer>[1]>;

function largeServer(limits: Partial<Limits>) {
  const Shop = { ...shopHandlers.Shop, Echo: async () => ({ value: text }) };
  return createServer({ ...shopHandlers, Shop }, { limits });
}

describe("the bytes that wait", () => {
  /** Each event is a new response, `a50`, or progress of an earlier one, `0=20`. */
  test.each([
    ["below the limit of an address", "a50 a49", []],
    ["at the limit of an address", "a50 a50", []],
    ["above the limit of an address, its first is cut off", "b10 a50 a51", [1]],
    ["the one with progress stays", "a60 a30 0=55 a20", [1]],
    ["as many as necessary", "a40 a40 a100", [0, 1]],
    ["a single response may have any size", "a1000", []],
    ["at the limit of all", "a100 b100 c50", []],
    ["above the limit of all, the first is cut off", "a60 b50 b50 c91", [0]],
    ["what was read is not counted", "a100 b100 0=0 c100 1=50 d100", []],
  ])("%s", (_fact, events, expected) => {
    const cut: number[] = [];
    let count = 0;
    const unread = new UnreadResponses(
      { unreadMaxBytes: 250, unreadMaxBytesPerAddress: 100, unreadMaxMs: 0 },
      () => void count++,
    );
    const responses: UnreadResponse[] = [];
    for (const event of events.split(" ")) {
      const [known, bytes] = event.split("=");
      if (bytes !== undefined) responses[Number(known)]?.set(Number(bytes));
      else {
        const index = responses.length;
        const response = unread.open(event[0], () => cut.push(index));
        responses.push(response);
        response.set(Number(event.slice(1)));
      }
    }
    expect(cut).toEqual(expected);
    expect(count).toBe(expected.length);
  });

  describe("refused are", () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
    afterEach(() => void vi.useRealTimers());

    function open() {
      const unread = new UnreadResponses({
        unreadMaxBytes: 250,
        unreadMaxBytesPerAddress: 100,
        unreadMaxMs: 0,
      });
      return { unread, wait: (address: string, bytes: number) => unread.open(address, () => {}).set(bytes) };
    }

    test("calls of an address at its limit, until it has read", () => {
      const { unread } = open();
      const response = unread.open("a", () => {});
      const states = [99, 100, 101, 99, 0].map((bytes) => {
        response.set(bytes);
        return [
          unread.isFull(false, () => "a"),
          unread.isFull(true, () => "b"),
          unread.isFull(true, () => undefined),
        ];
      });
      expect(states.map(([isFull]) => isFull)).toEqual([false, true, true, false, false]);
      expect(states.flatMap(([, ...others]) => others)).not.toContain(true);
    });

    test.each([
      [49, 0, false],
      [50, 0, false],
      [51, 999, true],
      [51, 1_000, false],
    ])("calls of an address, when %i bytes exceed 100, %i ms later: %s", (bytes, ms, expected) => {
      const { unread, wait } = open();
      wait("a", 50);
      wait("a", bytes - 1);
      wait("a", 1);
      vi.advanceTimersByTime(ms);
      // The first was cut off, so that the address has room.
      expect(unread.isFull(false, () => "a")).toBe(expected || bytes === 50);
      expect(unread.isFull(true, () => "b")).toBe(false);
    });

    test.each([
      [50, 0, false],
      [51, 999, true],
      [51, 1_000, false],
    ])("large calls of all, when %i bytes exceed 250, %i ms later: %s", (bytes, ms, expected) => {
      const { unread, wait } = open();
      for (const address of "abcd") wait(address, 50);
      wait("e", bytes);
      vi.advanceTimersByTime(ms);
      expect([unread.isFull(true, () => "f"), unread.isFull(true, () => undefined)]).toEqual([
        expected,
        expected,
      ]);
      expect([unread.isFull(false, () => "f"), unread.isFull(false, () => undefined)]).toEqual([
        false,
        false,
      ]);
    });
  });
});

test("a call that has run gets no Retry-After", async () => {
  let hasRun = false;
  const Shop = {
    ...shopHandlers.Shop,
    Echo: async () => {
      hasRun = true;
      return { value: "a" };
    },
  };
  const exchange = createServer<undefined, unknown>({ ...shopHandlers, Shop }).open("/v2/rpc/Shop/Echo", {
    carrier: undefined,
    header: () => undefined,
    whenGone: () => {},
    isFull: () => hasRun,
  });
  await exchange?.admit("POST");
  const reply = await new Promise<Reply>((resolve) => exchange?.answer('{"value":1}', resolve));
  expect([reply.status, reply.headers]).toEqual([503, undefined]);
});

describe.each(adapterNames)("over %s", (adapter) => {
  test.each([
    ["fast", 1],
    ["slow", 2],
  ])("large calls are refused when nobody reads, and others are not: a %s handler", async (_speed, value) => {
    const limit = adapter === "fetch" ? "unreadMaxBytes" : "unreadMaxBytesPerAddress";
    let serialized = 0;
    const toJSON = (): string => {
      serialized++;
      return text;
    };
    const Shop = {
      ...shopHandlers.Shop,
      Echo: async () => {
        if (value === 2) await sleep(50);
        return { value: { toJSON } };
      },
    };
    const server = createServer({ ...shopHandlers, Shop }, { limits: { [limit]: 49 * mib } });
    await using running = await serveWith(adapter, server);
    const callers = Array.from({ length: 30 }, () => call(running.port));
    await expect.poll(() => serialized).toBeGreaterThan(1);
    await sleep(300);
    // Two responses fit below the limit, and the system's buffers hold a part of each.
    expect(serialized).toBeLessThan(10);
    for (const caller of callers) caller.destroy();
    await expect.poll(() => echo(running.url)).toBe(complete);
  });

  test("a refused call gets WebrpcEndpoint and Retry-After, or the error of the server's options", async () => {
    const limit = adapter === "fetch" ? "unreadMaxBytes" : "unreadMaxBytesPerAddress";
    const own: Options = { unreadError: (errors) => errors.Aborted() };
    const aborted = { error: "Aborted", code: 12, msg: "took too long", status: 503 };
    const unread = {
      error: "WebrpcEndpoint",
      code: 0,
      msg: "endpoint error",
      status: 503,
      cause: "earlier responses have not been read",
    };
    for (const [options, expected] of [
      [{}, unread],
      [own, aborted],
    ] as const) {
      const Shop = { ...shopHandlers.Shop, Echo: async () => ({ value: text }) };
      const server = createServer({ ...shopHandlers, Shop }, { ...options, limits: { [limit]: 30 * mib } });
      await using running = await serveWith(adapter, server);
      const callers: Socket[] = [];
      let answer = await fetchEcho(running.url);
      // A call that the limit stops after its handler has run gets no Retry-After.
      while (!answer.headers.has("Retry-After")) {
        void answer.body?.cancel();
        callers.push(call(running.port), call(running.port), call(running.port));
        answer = await fetchEcho(running.url);
      }
      expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "1"]);
      expect(await answer.json()).toEqual(expected);
      for (const caller of callers) caller.destroy();
    }
  });

  test.each([
    ["responses", 1, mib],
    ["requests", mib / 2, 1],
  ])("small calls are served between large %s", async (_what, requestLength, responseLength) => {
    const large = postBytes("/v2/rpc/Shop/Echo", JSON.stringify({ value: "x".repeat(requestLength) }));
    const done: (string | undefined)[] = [];
    const isLarge = responseLength > 1;
    const sockets: Socket[] = [];
    let calls = 0;
    let printAll = (): void => {};
    const all = new Promise<void>((resolve) => {
      printAll = resolve;
    });
    const Shop = {
      ...shopHandlers.Shop,
      Echo: async () => {
        if (isLarge && ++calls < sockets.length) await all;
        printAll();
        return { value: text.slice(0, responseLength) };
      },
    };
    const server = createServer(
      { ...shopHandlers, Shop },
      { onResponse: ({ method }) => done.push(method?.name) },
    );
    await using running = await serveWith(adapter, server);
    for (let index = 0; index < 61; index++) sockets.push(connect(running.port, "127.0.0.1").resume());
    const [small, ...callers] = sockets;
    for (const caller of callers) caller.write(large.subarray(0, -1));
    await sleep(300);
    for (const caller of callers) caller.write(large.subarray(-1));
    if (isLarge) await expect.poll(() => calls).toBe(60);
    small?.write(postBytes("/v2/rpc/Shop/Ping", "{}"));
    printAll();
    await expect.poll(() => done.length).toBe(61);
    expect(done.indexOf("Ping")).toBeLessThan(20);
    for (const socket of sockets) socket.destroy();
  });

  test("a stream that is read as fast as it is produced does not hold up other calls", async () => {
    let isOver = false;
    let items = 0;
    async function* endless() {
      for (; !isOver && items < 20_000; items++) yield { id: `${items}`, text: "x".repeat(100_000) };
    }
    const Feeds = { Watch: () => endless(), Count: () => endless(), Beat: () => endless() };
    const server = createFeeds({ Feeds } as never);
    await using running = await serveWith(adapter, server);
    // Reads in a thread of its own: in this one, the server would wait for its reader.
    const reader = new Worker(readerSource, { eval: true, workerData: running.port });
    await expect.poll(() => items).toBeGreaterThan(0);
    const before = items;
    await new Promise((resolve) => setImmediate(resolve));
    isOver = true;
    expect(items - before).toBeLessThan(1_000);
    await reader.terminate();
  });

  test("a response without progress is cut off", async () => {
    await using running = await serveWith(adapter, largeServer({ unreadMaxMs: 300 }));
    const caller = call(running.port);
    await expect.poll(() => running.connections()).toBe(1);
    await expect.poll(() => running.connections()).toBe(0);
    expect(await readAll(caller)).toBeLessThan(complete);
  });

  test("a caller that reads slowly gets all", async () => {
    await using running = await serveWith(adapter, largeServer({ unreadMaxMs: 500 }));
    const caller = call(running.port);
    let length = 0;
    let windows = 0;
    caller.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length < windows * 4 * mib) return;
      windows++;
      caller.pause();
      setTimeout(() => caller.resume(), 250);
    });
    caller.resume();
    await once(caller, "close");
    expect(length).toBeGreaterThan(complete);
  });

  test("an idle connection stays open after a large response", async () => {
    await using running = await serveWith(adapter, largeServer({ unreadMaxMs: 200 }));
    const socket = connect(running.port, "127.0.0.1");
    let length = 0;
    socket.on("data", (chunk: Buffer) => {
      length += chunk.length;
    });
    socket.write(request().replace("Connection: close\r\n", ""));
    await expect.poll(() => length).toBeGreaterThan(complete);
    await sleep(500);
    expect(socket.closed).toBe(false);
    socket.destroy();
  });

  test("a file without progress is cut off, and its source closed", async () => {
    let isClosed = false;
    async function* endless() {
      try {
        for (;;) yield new Uint8Array(mib);
      } finally {
        isClosed = true;
      }
    }
    const causes: unknown[] = [];
    const unused = ["Store", "StoreMany", "Submit", "Attach", "Fetch", "Turn", "Read"].map((name) => [
      name,
      () => {},
    ]);
    const Depot = { ...Object.fromEntries(unused), Export: () => ({ body: endless() }) };
    const server = createFileServer({ Depot } as never, {
      limits: { unreadMaxMs: 300 },
      onResponse: ({ error, cause }) => causes.push(error?.name, `${cause}`),
    });
    await using running = await serveWith(adapter, server);
    const body = '{"lines":1,"wide":true}';
    const caller = connect(running.port, "127.0.0.1").pause();
    caller.write(
      `POST /rpc/Depot/Export HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await expect.poll(() => isClosed).toBe(true);
    expect(causes).toEqual(["WebrpcClientAborted", "Error: the caller stopped reading"]);
    await readAll(caller);
  });
});

test("pipelined calls on one connection are counted together", async () => {
  await using running = await serveWith("node-http", largeServer({ unreadMaxBytesPerAddress: 30 * mib }));
  const caller = connect(running.port, "127.0.0.1").pause();
  caller.on("error", () => {});
  const again = request().replace("Connection: close\r\n", "");
  caller.write(again + again + again);
  await sleep(500);
  expect(await readAll(caller)).toBeLessThan(complete);
});

test("Koa's middlewares see a large body as text, and can replace it", async () => {
  const seen: unknown[] = [];
  const look: Middleware = async (ctx, next) => {
    await next();
    seen.push(typeof ctx.body, ctx.length);
    if (ctx.query["short"] !== undefined) ctx.body = "short";
  };
  const app = new Koa().use(look).use(koaMiddleware(largeServer({})));
  await using running = await listen(createHttpServer(app.callback()));
  expect(await echo(running.url)).toBe(complete);
  expect(await echo(running.url, "?short")).toBe("short".length);
  expect(seen).toEqual(["string", complete, "string", complete]);
});

async function echo(url: string, query = ""): Promise<number> {
  return (await (await fetchEcho(url, 1, query)).text()).length;
}

function fetchEcho(url: string, value = 1, query = ""): Promise<Response> {
  return fetch(`${url}/v2/rpc/Shop/Echo${query}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ value }),
  });
}

function request(): string {
  return 'POST /v2/rpc/Shop/Echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n{"value":1}';
}

const readerSource = `
  const { connect } = require("node:net");
  const socket = connect(require("node:worker_threads").workerData, "127.0.0.1").resume();
  socket.on("error", () => {});
  socket.write('POST /rpc/Feeds/Watch HTTP/1.1\\r\\nHost: a\\r\\nContent-Type: application/json\\r\\nContent-Length: 12\\r\\n\\r\\n{"feed":"a"}');
`;

/** Calls without reading. */
function call(port: number): Socket {
  const socket = connect(port, "127.0.0.1").pause();
  socket.on("error", () => {});
  socket.write(request());
  return socket;
}

/** Returns how many bytes arrive until the connection ends. */
async function readAll(socket: Socket): Promise<number> {
  let length = 0;
  socket.on("data", (chunk: Buffer) => {
    length += chunk.length;
  });
  socket.resume();
  if (!socket.closed) await once(socket, "close").catch(() => {});
  return length;
}
