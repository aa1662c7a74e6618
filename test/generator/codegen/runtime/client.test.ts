import { describe, expect, test } from "vitest";
import type { Call, Client, HeaderValues } from "../../../../generator/codegen/runtime/v1/client.ts";
import { RpcError } from "../../../../generator/codegen/runtime/v1/errors.ts";
import { queryKey } from "../../../../generator/codegen/runtime/v1/method.ts";
import { match, type Result, result } from "../../../../generator/codegen/runtime/v1/result.ts";
import { retries, retryAfterMs } from "../../../../generator/codegen/runtime/v1/retries.ts";
import type { Transport } from "../../../../generator/codegen/runtime/v1/transport.ts";
import { Bank, transfer } from "../../../fixtures/market/generated/client/bank.ts";
import { getOrders, Marketplace, ping } from "../../../fixtures/market/generated/client/marketplace.ts";
import {
  InvalidArgumentError,
  NotFoundError,
  RateLimitedError,
  WebrpcBadResponseError,
  WebrpcClientDisconnectedError,
  WebrpcRequestFailedError,
} from "../../../fixtures/market/generated/errors.ts";
import { failureOf, never, serving } from "../../../support/served-client.ts";

describe("a call", () => {
  test("is a POST with the request as JSON, and returns the body", async () => {
    const { client, seen } = serving({ status: 200, body: '{"orders":[{"id":"1","side":"listing"}]}' });
    expect(await getOrders(client, { ids: ["1"] })).toEqual({ orders: [{ id: "1", side: "listing" }] });
    expect(seen).toEqual([
      {
        method: "POST",
        path: "/rpc/Marketplace/GetOrders",
        headers: {
          "content-type": "application/json",
          webrpc: "webrpc@v0.44.0;ridlkit@0.0.0-test;Market@v1.2.0",
        },
        body: '{"ids":["1"]}',
      },
    ]);
  });

  test("needs no request if it has no fields", async () => {
    const { client, seen } = serving({ status: 200, body: "{}" });
    await ping(client);
    await new Marketplace(client).ping();
    expect(seen.map(({ body }) => body)).toEqual(["{}", "{}"]);
  });

  test.each([
    ["https://a.example", "/rpc/Marketplace/Ping"],
    ["https://a.example///", "/rpc/Marketplace/Ping"],
    ["https://a.example/polygon", "/polygon/rpc/Marketplace/Ping"],
    ["https://a.example/polygon/", "/polygon/rpc/Marketplace/Ping"],
    ["", "/rpc/Marketplace/Ping"],
  ])("keeps the path of %s", async (url, path) => {
    const { client, seen } = serving({ status: 200, body: "{}" });
    await ping({ ...client, url });
    expect(seen[0]?.path).toBe(path);
  });

  test("can omit the header Webrpc", async () => {
    const { client, seen } = serving({ status: 200, body: "{}" });
    await ping({ ...client, webrpcHeader: false });
    expect(seen[0]?.headers).toEqual({ "content-type": "application/json" });
  });

  test("calls the headers hook each time, and its own headers take precedence", async () => {
    const { client, seen } = serving({ status: 200, body: "{}" });
    let token = 0;
    const headers = async ({ method }: Call) => ({
      "X-Access-Key": method.name,
      Authorization: `BEARER ${++token}`,
    });
    await ping({ ...client, headers });
    await ping({ ...client, headers }, {}, { headers: { "X-Access-Key": "own" } });
    expect(seen.map((each) => [each.headers["x-access-key"], each.headers["authorization"]])).toEqual([
      ["Ping", "BEARER 1"],
      ["own", "BEARER 2"],
    ]);
  });

  test("of a service object is the same as the function", async () => {
    const { client, seen } = serving({ status: 200, body: '{"orders":[]}' });
    const marketplace = new Marketplace(client);
    expect(await marketplace.getOrders({ ids: [] }, { headers: { "X-A": "1" } })).toEqual({ orders: [] });
    expect(seen[0]?.headers["x-a"]).toBe("1");
    expect(new Marketplace("https://a.example").client).toEqual({ url: "https://a.example" });
  });

  test.each<[string, HeaderValues, HeaderValues, HeaderValues]>([
    ["a call's over the client's", { authorization: "a" }, { Authorization: "b" }, { authorization: "b" }],
    ["the client's over a default", { "content-TYPE": "a/b" }, {}, { "content-type": "a/b" }],
    ["a call's over a default", { a: "1" }, { WEBRPC: "w" }, { a: "1", webrpc: "w" }],
    ["the last of equal names", { A: "1", a: "2" }, {}, { a: "2" }],
    ["names of properties", { Constructor: "c" }, {}, { constructor: "c" }],
  ])("sends one header of each name, in any case: %s", async (_which, hook, own, sent) => {
    const headers: Record<string, string>[] = [];
    const transport: Transport = async (_url, init) => {
      headers.push(init.headers);
      return new Response("{}");
    };
    await ping({ url: "https://a.example", transport, headers: () => hook }, {}, { headers: own });
    const defaults = {
      "content-type": "application/json",
      webrpc: "webrpc@v0.44.0;ridlkit@0.0.0-test;Market@v1.2.0",
    };
    expect(headers).toEqual([{ ...defaults, ...sent }]);
  });

  test("has a key for caches", () => {
    expect(queryKey(getOrders, { ids: ["1"] })).toEqual(["Marketplace", "GetOrders", { ids: ["1"] }]);
    expect(queryKey(ping)).toEqual(["Marketplace", "Ping"]);
  });
});

describe("bigints", () => {
  const answer = {
    total: "123456789012345678901234567890",
    parts: ["1", 2],
    byToken: { a: ["3"] },
    first: { amount: "-5", below: [{ amount: "6" }] },
    note: "7",
  };

  test("are written as decimal text and read at any depth", async () => {
    const body = JSON.stringify(answer).replace('"note"', '"__proto__":{"x":1},"fee":null,"note"');
    const { client, seen } = serving({ status: 200, body });
    const read = await transfer(client, { to: "a", amount: 2n ** 70n });
    expect(seen[0]?.body).toBe('{"to":"a","amount":"1180591620717411303424"}');
    expect(read).toMatchObject({
      total: 123456789012345678901234567890n,
      fee: null,
      parts: [1n, 2n],
      byToken: { a: [3n] },
      first: { amount: -5n, below: [{ amount: 6n }] },
      note: "7",
    });
  });

  test.each(["0x10", "", " 1", "1.5", 1.5, 2 ** 53, true, {}])("%j is none", async (total) => {
    const { client } = serving({ status: 200, body: JSON.stringify({ ...answer, total }) });
    await expect(transfer(client, { to: "a", amount: 1n })).rejects.toBeInstanceOf(WebrpcBadResponseError);
  });

  test.each([{ parts: "no" }, { byToken: 1 }, { first: [], parts: {} }])(
    "%j has no place for one",
    async (part) => {
      const { client } = serving({ status: 200, body: JSON.stringify({ ...answer, ...part }) });
      await expect(new Bank(client).transfer({ to: "a", amount: 1n })).rejects.toMatchObject({ code: -5 });
    },
  );
});

describe("an error of the server", () => {
  const envelope = {
    error: "InvalidArgument",
    code: 2000,
    msg: "Invalid argument",
    cause: "amount is 0",
    status: 400,
  };

  test("is thrown with all of its fields", async () => {
    const { client } = serving({ status: 400, body: JSON.stringify(envelope) });
    const error = await failureOf(getOrders(client, { ids: [] }));
    expect(error).toMatchObject({
      name: "InvalidArgument",
      code: 2000,
      status: 400,
      msg: "Invalid argument",
      message: "Invalid argument",
      cause: "amount is 0",
      side: "server",
      retryable: false,
    });
    expect(error).toBeInstanceOf(RpcError);
    expect(error).toBeInstanceOf(InvalidArgumentError);
    expect(error).not.toBeInstanceOf(NotFoundError);
    expect(String(error)).toBe("InvalidArgument: Invalid argument");
  });

  test("of an older server is read", async () => {
    const body = '{"code":2000,"status":400,"name":"InvalidArgument","message":"old words"}';
    const { client } = serving({ status: 400, body });
    expect(await failureOf(ping(client))).toMatchObject({
      name: "InvalidArgument",
      msg: "old words",
      code: 2000,
    });
  });

  test("without a message uses its name", async () => {
    const { client } = serving({ status: 400, body: '{"code":2000,"name":"InvalidArgument"}' });
    expect(await failureOf(ping(client))).toMatchObject({ msg: "InvalidArgument", cause: undefined });
  });

  test("with an unknown code keeps the server's name", async () => {
    const { client } = serving({
      status: 418,
      body: '{"error":"Teapot","code":4711,"msg":"short and stout"}',
    });
    const error = await failureOf(ping(client));
    expect(error).toMatchObject({
      name: "Teapot",
      code: 4711,
      status: 418,
      msg: "short and stout",
      side: "server",
    });
    expect(error.constructor).toBe(RpcError);
  });

  test("has Retry-After", async () => {
    const { client } = serving({
      status: 429,
      headers: { "Retry-After": "3" },
      body: '{"code":1007,"error":"RateLimited"}',
    });
    const error = await failureOf(ping(client));
    expect(error).toBeInstanceOf(RateLimitedError);
    expect(error.retryable).toBe(true);
    expect(retryAfterMs(error)).toBe(3_000);
  });
});

describe("a response that does not follow the protocol is a bad response", () => {
  test.each([
    ["a page", 200, "<html>"],
    ["nothing", 200, ""],
    ["null", 200, "null"],
    ["a list", 200, "[]"],
    ["a text", 200, '"ok"'],
    ["a number", 200, "1"],
    ["half an object", 200, '{"orders":['],
    ["a page of a proxy", 502, "<html>Bad Gateway</html>"],
    ["an error without a code", 500, '{"error":"x","msg":"y"}'],
    ["a code that is text", 400, '{"error":"x","code":"2000"}'],
    ["a name that refuses to be text", 400, '{"error":{"toString":1},"code":2000}'],
    ["an error that is a list", 400, '[{"code":2000}]'],
    ["a redirect", 302, ""],
    ["an opaque redirect", 0, ""],
  ])("%s", async (_what, status, body) => {
    const { client } = serving({ status, body });
    const error = await failureOf(ping(client));
    expect(error).toBeInstanceOf(WebrpcBadResponseError);
    expect(error).toMatchObject({
      name: "WebrpcBadResponse",
      code: -5,
      status,
      cause: status % 300 < 100 ? "redirects are not followed" : body,
      side: "response",
    });
  });

  test("of which the first 200 characters are kept", async () => {
    const { client } = serving({ status: 200, body: "x".repeat(1_000_000) });
    expect((await failureOf(ping(client))).cause).toBe("x".repeat(200));
  });

  test("and a hostile name only matches the fallback case of match", async () => {
    for (const error of ["ok", "constructor", "__proto__", "toString"]) {
      const { client } = serving({ status: 400, body: JSON.stringify({ error, code: 9 }) });
      const outcome = await result(ping(client));
      expect(match(outcome, { ok: () => "ok", _: () => "other" })).toBe("other");
    }
  });
});

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

  test("it ends at the time-out of the call or the client, even if the transport ignores the signal", async () => {
    const client: Client = { url: "", transport: never, timeoutMs: 20 };
    expect(await failureOf(ping(client))).toMatchObject({ code: -1, cause: "time-out" });
    expect(await failureOf(ping({ ...client, timeoutMs: 60_000 }, {}, { timeoutMs: 20 }))).toMatchObject({
      code: -1,
    });
    const slowHook: Client = { ...client, headers: () => new Promise(() => {}) };
    expect(await failureOf(ping(slowHook))).toMatchObject({ code: -1, cause: "time-out" });
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

  test("the transport gets no signal if there is neither a time-out nor a signal", async () => {
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

describe("outcomes as values", () => {
  test("are returned, not thrown", async () => {
    expect(await result(ping(serving({ status: 200, body: "{}" }).client))).toEqual({ ok: true, value: {} });
    const { client } = serving({ status: 400, body: '{"error":"NotFound","code":3000,"msg":"gone"}' });
    const outcome = await result(getOrders(client, { ids: [] }));
    expect(outcome.ok).toBe(false);
    expect(
      match(outcome, { ok: ({ orders }) => orders.length, NotFound: ({ msg }) => msg, _: () => false }),
    ).toBe("gone");
  });

  test("an error without a matching case is thrown", () => {
    const newer = new RpcError({
      name: "Newer",
      code: 9_000,
      status: 400,
      msg: "",
    }) as RpcError as NotFoundError;
    const outcome: Result<number, NotFoundError> = { ok: false, error: newer };
    expect(() => match(outcome, { ok: () => 1, NotFound: () => 2 })).toThrow(newer);
  });

  test("other errors are still thrown", async () => {
    const interceptor = async () => {
      throw new RangeError("mine");
    };
    await expect(result(ping({ url: "", interceptor }))).rejects.toThrow(RangeError);
  });
});

test("error classes can be instantiated for tests and mocks", () => {
  const error = new NotFoundError({ cause: "order 7" });
  expect(error).toMatchObject({
    name: "NotFound",
    code: 3000,
    status: 400,
    msg: "Resource not found",
    cause: "order 7",
  });
  expect(error).toBeInstanceOf(NotFoundError);
  expect({}).not.toBeInstanceOf(NotFoundError);
});
