/** Every option and header of the runtime that is a time, with the values that `setTimeout` cannot count. */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Client } from "../../../generator/runtime/src/client.ts";
import { retries } from "../../../generator/runtime/src/client.ts";
import type { StreamOptions, StreamState } from "../../../generator/runtime/src/client-streams.ts";
import { RpcError } from "../../../generator/runtime/src/errors.ts";
import { fetchHandler } from "../../../generator/runtime/src/fetch.ts";
import { memoryIdempotencyStore } from "../../../generator/runtime/src/idempotency.ts";
import { type StreamLimits, streamLimits } from "../../../generator/runtime/src/options.ts";
import { memoryReplayStore, OutgoingStream } from "../../../generator/runtime/src/server-streams.ts";
import { retryTemporary } from "../../../generator/runtime/src/tanstack-query.ts";
import { sleep as sleepFor } from "../../../generator/runtime/src/time.ts";
import { memoryTransport } from "../../../generator/runtime/src/transport.ts";
import { echoText, watch as watchFeed } from "../../fixtures/wire/generated/client.ts";
import { WebrpcRequestFailedError } from "../../fixtures/wire/generated/errors.ts";
import { createServer } from "../../fixtures/wire/generated/server.ts";
import { watched, wireHandlers } from "../../support/feed.ts";
import { never } from "../../support/served-client.ts";
import { recorded } from "./mcp/recorded.ts";

const runtime = new URL("../../../generator/runtime/src/", import.meta.url);
const sources = readdirSync(runtime).map(
  (name) => [name, readFileSync(new URL(name, runtime), "utf8")] as const,
);

/** Long enough for a timer that fires at once, in milliseconds. */
const shortMs = 40;

/** Whether `work` settles within a short time: "ended" with its outcome, or "waits". */
async function soon(work: Promise<unknown>): Promise<unknown> {
  const outcome = work.then(
    () => "ended",
    (error: unknown) => (error instanceof RpcError ? "ended" : Promise.reject(error)),
  );
  return Promise.race([outcome, sleep(shortMs, "waits")]);
}

const feed = { feed: "none", from: 0, count: 0 };

/** A stream whose connections are silent, or lost at once. */
function streamOf(
  options: StreamOptions,
  isLost: boolean,
): { work: Promise<unknown>; states: StreamState[] } {
  const states: StreamState[] = [];
  const transport: Client["transport"] = async () => ({
    status: 200,
    headers: new Headers(),
    text: never,
    body: isLost ? new Response("").body : new ReadableStream<Uint8Array>(),
  });
  const onState = (state: StreamState): void => void states.push(state);
  const lost: Client["transport"] = async (...call) => {
    const response = await transport(...call);
    return isLost ? { ...response, body: new Response("{").body } : response;
  };
  const stream = watchFeed({ url: "", transport: lost }, feed, { ...options, onState } as never);
  return { work: stream.next().finally(() => stream.return()), states };
}

/** Opens a stream of a server, whose handler sends nothing. "ended" if anything more than its first line is sent. */
async function served(limits: Partial<StreamLimits>): Promise<unknown> {
  let sent = "";
  let isOver = false;
  const call = {
    limits: streamLimits(limits),
    lost: () => ({ body: "{}" }),
    abort: () => {},
    onEnd: () => {
      isOver = true;
    },
  };
  createServer(wireHandlers(watched()), { streams: limits });
  const stream = new OutgoingStream({ [Symbol.asyncIterator]: () => ({ next: never }) }, call as never);
  const write = (text: string): boolean => {
    sent += text;
    return true;
  };
  stream.open({ write, end: () => {}, destroy: () => {} } as never);
  await sleep(shortMs);
  const outcome = isOver || sent !== "\n" ? "ended" : "waits";
  stream.cancel();
  return outcome;
}

/** What an option does with 0 milliseconds, and how to try a value: "ended" at once, or "waits". */
interface Option {
  readonly zero: "ended" | "waits" | "refused";
  readonly run: (ms: number) => Promise<unknown>;
}

const options: Readonly<Record<string, Option>> = {
  "client.ts timeoutMs": {
    zero: "waits",
    run: (timeoutMs) => soon(echoText({ url: "", transport: never, timeoutMs }, { text: "a" })),
  },
  "client-streams.ts silenceMs": {
    zero: "waits",
    run: (silenceMs) => soon(streamOf({ silenceMs, reconnect: false }, false).work),
  },
  "client-streams.ts firstMs": {
    zero: "ended",
    run: (firstMs) => soon(streamOf({ reconnect: { firstMs, mostMs: firstMs, tries: 3 } }, true).work),
  },
  "client-streams.ts mostMs": {
    zero: "ended",
    run: (mostMs) => soon(streamOf({ reconnect: { firstMs: 100_000, mostMs, tries: 3 } }, true).work),
  },
  "options.ts ms": {
    zero: "waits",
    run: async (ms) => {
      const handlers = {
        ...wireHandlers(watched()),
        Wire: { ...wireHandlers(watched()).Wire, EchoText: never },
      };
      const server = createServer(handlers, { deadline: { ms, error: ({ Broken }) => Broken() } });
      const transport = memoryTransport(fetchHandler(server));
      return soon(echoText({ url: "http://a", transport, timeoutMs: 0 }, { text: "a" }));
    },
  },
  "options.ts pingMs": {
    zero: "waits",
    run: (pingMs) => served({ pingMs }),
  },
  "options.ts unreadMaxMs": {
    zero: "waits",
    run: async (unreadMaxMs) => {
      const serve = fetchHandler(createServer(wireHandlers(watched()), { limits: { unreadMaxMs } }));
      const transport = memoryTransport(async (request) => {
        const response = await serve(request);
        await sleep(shortMs);
        return response;
      });
      const call = echoText({ url: "http://a", transport }, { text: "x".repeat(100_000) });
      return call.then(() => "waits");
    },
  },
  "options.ts maxMs": {
    zero: "waits",
    run: (maxMs) => served({ maxMs }),
  },
  "mcp-call.ts timeoutMs": {
    zero: "waits",
    run: async (timeoutMs) => soon(recorded(never, { timeoutMs }).call("Orders.GetOrder", { id: 1 })),
  },
  "mcp-call.ts streamMs": {
    zero: "ended",
    run: async (streamMs) => {
      const body = (): Response => new Response(new ReadableStream());
      return soon(recorded(body, { streamMs, timeoutMs: 0 }).call("Feeds.Watch"));
    },
  },
  "idempotency.ts keptMs": {
    zero: "refused",
    run: async (keptMs) => {
      const { run } = memoryIdempotencyStore({ keptMs });
      const response = { status: 200 } as never;
      await run({ scope: "a", key: "k" } as never, undefined, async () => response);
      await sleep(2);
      const again = await run({ scope: "a", key: "k" } as never, undefined, async () => response);
      return again === response ? "waits" : "ended";
    },
  },
  "server-streams.ts maxAgeMs": {
    zero: "refused",
    run: async (maxAgeMs) => {
      const store = memoryReplayStore<string>({ maxAgeMs });
      const start = (await store.position("a")) as string;
      await store.publish("a", (id) => id);
      await sleep(2);
      return (await store.itemsAfter("a", start, 2)) === "gap" ? "ended" : "waits";
    },
  },
};

test("these are all options of the runtime that are times", () => {
  const found = sources.flatMap(([name, text]) =>
    [...text.matchAll(/^ +readonly (\w*(?:Ms|Seconds)|ms)\??: number/gm)].map(
      ([, option]) => `${name} ${option}`,
    ),
  );
  // Measured, or set by another option.
  const others = ["options.ts durationMs", "client-streams.ts delayMs"];
  const inputs = [...new Set(found)].filter((option) => !others.includes(option));
  expect(inputs.sort()).toEqual(Object.keys(options).sort());
});

test("no other timer of the runtime has a length that is not bounded", () => {
  const found = sources.flatMap(([name, text]) =>
    [...text.matchAll(/^.*(?:setTimeout|setInterval|AbortSignal\.timeout|timers\/promises).*$/gm)]
      .filter(([line]) => !/^\s*(?:\*|\/)|ReturnType</.test(line))
      .map(([line]) => `${name}: ${line.trim()}`),
  );
  expect(found).toEqual([
    "fetch.ts: if (bytes > 0 && maxMs > 0) timer = setTimeout(response.cutOff, maxMs);",
    'node.ts: if (unread.maxMs === 0 || typeof socket.setTimeout !== "function") return response;',
    "node.ts: res.setTimeout(ms, () => {",
    "node.ts: if (socket.timeout === ms) socket.setTimeout(Number.isFinite(earlierMs) ? earlierMs : 0);",
    "recorder.ts: const late = new Promise((resolve) => setTimeout(resolve, closeMaxMs).unref());",
    "server-files.ts: setTimeout(() => sink.destroy(), 0);",
    "time.ts: const timer = ms <= longestMs ? setTimeout(callback, ms) : undefined;",
    "time.ts: const { setImmediate = setTimeout } = globalThis as { setImmediate?: (run: () => void) => unknown };",
  ]);
});

describe.each(Object.entries(options))("%s", (_name, { zero, run }) => {
  test.each([Number.NaN, -1, Number.NEGATIVE_INFINITY])("%d is a RangeError", async (ms) => {
    await expect((async () => run(ms))()).rejects.toThrow(RangeError);
  });

  test.each([2 ** 31 - 1, 2 ** 31, 2 ** 32 + 1, Number.POSITIVE_INFINITY])("%d waits", async (ms) => {
    expect(await run(ms)).toBe("waits");
  });

  test(`0: ${zero}`, async () => {
    if (zero === "refused") await expect((async () => run(0))()).rejects.toThrow(RangeError);
    else expect(await run(0)).toBe(zero);
  });
});

describe("Retry-After", () => {
  const away = (retryAfter: string) =>
    vi.fn(async () => ({
      status: 503,
      headers: new Headers({ "retry-after": retryAfter }),
      text: async () => '{"error":"Away","code":7,"msg":"away"}',
    }));
  const long = [
    "2147483",
    "2147484",
    "3000000",
    "9".repeat(400),
    new Date(Date.now() + 35 * 86_400_000).toUTCString(),
  ];

  test.each(long)("%s delays a retry", async (retryAfter) => {
    const transport = away(retryAfter);
    const client: Client = { url: "", transport, interceptor: retries(3), timeoutMs: 0 };
    const controller = new AbortController();
    const call = echoText(client, { text: "a" }, { signal: controller.signal });
    expect(await soon(call)).toBe("waits");
    expect(transport).toHaveBeenCalledTimes(1);
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: -8 });
  });

  test.each(long)("%s ends a call whose timeout comes before", async (retryAfter) => {
    const transport = away(retryAfter);
    const client: Client = { url: "", transport, interceptor: retries(3), timeoutMs: 30_000 };
    expect(await soon(echoText(client, { text: "a" }))).toBe("ended");
    expect(transport).toHaveBeenCalledTimes(1);
  });

  test.each(long)("%s delays a reconnect of a stream, which its state shows", async (retryAfter) => {
    let calls = 0;
    const transport: Client["transport"] = async () => {
      if (calls++ > 0) return away(retryAfter)();
      return { status: 200, headers: new Headers(), text: never, body: new Response("{").body };
    };
    const states: StreamState[] = [];
    const stream = watchFeed({ url: "", transport }, feed, {
      onState: (state) => states.push(state),
      reconnect: { firstMs: 1 },
    });
    const item = stream.next();
    await vi.waitFor(() => expect(states.at(-1)).toMatchObject({ kind: "waiting", attempt: 1 }));
    expect(await soon(item)).toBe("waits");
    expect(calls).toBe(2);
    const waiting = states.at(-1) as { readonly delayMs?: number };
    expect(waiting.delayMs).toBeGreaterThan(2_147_482_000);
    await stream.return();
  });

  test.each(long)("%s is a delay of TanStack Query that timers can count", (retryAfter) => {
    const error = new WebrpcRequestFailedError({ retryAfter });
    const delayMs = retryTemporary.retryDelay(0, error);
    expect(delayMs).toBeGreaterThan(2_147_482_000);
    expect(delayMs).toBeLessThanOrEqual(2 ** 31 - 1);
  });
});

describe("a wait", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test.each([1, 2 ** 31 - 1, 2 ** 31, 2 ** 31 + 1, 5 * 2 ** 31])("of %d ms ends then", async (ms) => {
    let isOver = false;
    const waiting = sleepFor(ms, undefined).then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isOver).toBe(true);
    await waiting;
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each([1, 2 ** 33, Number.POSITIVE_INFINITY])("of %d ms ends with its signal", async (ms) => {
    const controller = new AbortController();
    const waiting = sleepFor(ms, controller.signal);
    if (ms > 1) await vi.advanceTimersByTimeAsync(2 ** 32);
    controller.abort();
    await waiting;
    expect(vi.getTimerCount()).toBe(0);
  });
});
