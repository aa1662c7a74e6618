import { describe, expect, test } from "vitest";
import type { Client } from "../../../generator/runtime/src/client.ts";
import { retries } from "../../../generator/runtime/src/client.ts";
import { ping } from "../../fixtures/market/generated/client.ts";
import {
  WebrpcClientDisconnectedError,
  WebrpcRequestFailedError,
} from "../../fixtures/market/generated/errors.ts";
import { failureOf, never, serving } from "../../support/served-client.ts";

describe("without a response", () => {
  test("the error contains the reason", async () => {
    const client: Client = {
      url: "",
      transport: () => Promise.reject(new TypeError("fetch failed", { cause: new Error("ECONNREFUSED") })),
    };
    const error = await failureOf(ping(client));
    expect(error).toBeInstanceOf(WebrpcRequestFailedError);
    expect(error).toMatchObject({
      code: -1,
      status: 400,
      msg: "request failed",
      cause: "Error: ECONNREFUSED",
      side: "request",
      retryable: true,
    });
  });

  test.each<[string, unknown, string]>([
    ["an error", new Error("ECONNRESET"), "Error: ECONNRESET"],
    ["a response", Response.error(), "TypeError: fetch failed"],
    ["a text", "offline", "TypeError: fetch failed"],
  ])(
    "the error contains the cause of the transport's error if that is an error: %s",
    async (_what, cause, text) => {
      const transport = () => Promise.reject(new TypeError("fetch failed", { cause }));
      expect(await failureOf(ping({ url: "https://a.example", transport }))).toMatchObject({ cause: text });
    },
  );

  test.each(["shop.example", "localhost:3000", "undefined"])(
    "the address %s is a TypeError, and is not retried",
    async (url) => {
      const { client, seen } = serving({ status: 200, body: "{}" });
      const failure = new TypeError(`url: expected "https://…", found "${url}"`);
      await expect(ping({ ...client, url, interceptor: retries() })).rejects.toEqual(failure);
      expect(seen).toEqual([]);
    },
  );

  test.each([Number.NaN, -1, "5s" as never])(
    "the timeout %s is a RangeError, and is not retried",
    async (timeoutMs) => {
      const { client, seen } = serving({ status: 200, body: "{}" });
      const failure = new RangeError(`timeoutMs: expected 0 or more, found ${timeoutMs}`);
      await expect(ping({ ...client, timeoutMs, interceptor: retries() })).rejects.toEqual(failure);
      await expect(ping(client, {}, { timeoutMs })).rejects.toEqual(failure);
      expect(seen).toEqual([]);
    },
  );

  test.each([0, 2 ** 31 - 1, 2 ** 31, Infinity])("%d ms is a valid timeout", async (timeoutMs) => {
    const { client } = serving({ status: 200, body: "{}" });
    expect(await ping({ ...client, timeoutMs })).toEqual({});
  });

  test.each([new Error("no session"), "a text", undefined])(
    "a headers hook that fails with %o fails the call with the same, once",
    async (thrown) => {
      const { client, seen } = serving({ status: 200, body: "{}" });
      let runs = 0;
      const headers = async (): Promise<never> => {
        runs++;
        throw thrown;
      };
      for (const interceptor of [undefined, retries()]) {
        const call = ping({ ...client, headers, ...(interceptor && { interceptor }) });
        expect((await Promise.allSettled([call]))[0]).toEqual({ status: "rejected", reason: thrown });
      }
      const failing = (): never => {
        throw thrown;
      };
      const [synchronous] = await Promise.allSettled([ping({ ...client, headers: failing })]);
      expect(synchronous).toEqual({ status: "rejected", reason: thrown });
      expect([runs, seen]).toEqual([2, []]);
    },
  );

  test("it ends at the timeout of the call or the client, even if the transport ignores the signal", async () => {
    const client: Client = { url: "", transport: never, timeoutMs: 20 };
    expect(await failureOf(ping(client))).toMatchObject({ code: -1, cause: "timeout" });
    expect(await failureOf(ping({ ...client, timeoutMs: 60_000 }, {}, { timeoutMs: 20 }))).toMatchObject({
      code: -1,
    });
    const slowHook: Client = { ...client, headers: () => new Promise(() => {}) };
    expect(await failureOf(ping(slowHook))).toMatchObject({ code: -1, cause: "timeout" });
  });

  test("it ends on abort, with the reason as its cause", async () => {
    const controller = new AbortController();
    const answer = ping({ url: "", transport: never }, {}, { signal: controller.signal });
    controller.abort("not needed");
    const error = await failureOf(answer);
    expect(error).toBeInstanceOf(WebrpcClientDisconnectedError);
    expect(error).toMatchObject({
      code: -8,
      msg: "client disconnected",
      cause: "not needed",
      side: "client",
      retryable: false,
    });
  });

  test("it does not start if it is already aborted", async () => {
    const { client, seen } = serving({ status: 200, body: "{}" });
    expect(await failureOf(ping(client, {}, { signal: AbortSignal.abort() }))).toMatchObject({ code: -8 });
    expect(seen).toEqual([]);
  });

  test("the transport's signal aborts", async () => {
    let heard: AbortSignal | null = null;
    const client: Client = {
      url: "",
      timeoutMs: 10,
      transport: (_url, { signal }) => {
        heard = signal;
        return never();
      },
    };
    await failureOf(ping(client));
    expect((heard as AbortSignal | null)?.aborted).toBe(true);
  });

  test("the transport gets no signal if there is neither a timeout nor a signal", async () => {
    const signals: unknown[] = [];
    const transport: Client["transport"] = async (_url, { signal }) => {
      signals.push(signal);
      return { status: 200, headers: new Headers(), text: async () => "{}" };
    };
    await ping({ url: "", transport, timeoutMs: 0 });
    await ping({ url: "", transport, timeoutMs: Number.POSITIVE_INFINITY });
    expect(signals).toEqual([null, null]);
  });

  test("a reused signal keeps no listeners", async () => {
    const { client } = serving({ status: 200, body: "{}" });
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--;
      remove(...args);
    };
    for (let count = 0; count < 20; count++)
      await ping({ ...client, interceptor: retries() }, {}, { signal });
    expect(listeners).toBe(0);
  });
});
