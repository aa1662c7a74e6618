import { describe, expect, test } from "vitest";
import { match, result, retryAfterMs } from "../../../generator/runtime/src/client.ts";
import { RpcError } from "../../../generator/runtime/src/errors.ts";
import { getOrders, ping } from "../../fixtures/market/generated/client.ts";
import {
  InvalidArgumentError,
  NotFoundError,
  RateLimitedError,
  WebrpcBadResponseError,
} from "../../fixtures/market/generated/errors.ts";
import { echo } from "../../fixtures/wire/generated/client.ts";
import { failureOf, serving } from "../../support/served-client.ts";

describe("a request that cannot be printed is not sent", () => {
  const foreign = { code: "P2002", status: 503, side: "server", retryAfter: "1", issues: [], stack: "" };
  const databaseError = Object.assign(new Error("db gone"), { ...foreign, name: "PrismaError" });
  const nested = (depth: number): unknown => {
    let value: unknown = 1;
    for (let level = 0; level < depth; level++) value = [value];
    return value;
  };
  const throwing = (thrown: unknown) => ({
    get x() {
      throw thrown;
    },
  });
  const toJSON = () => {
    throw databaseError;
  };
  /** Throws once the request has been checked. */
  function later(): unknown {
    let reads = 0;
    return {
      get x() {
        if (reads++ > 0) throw databaseError;
        return 1;
      },
    };
  }
  const otherCall = new RpcError({ name: "Busy", code: 7, message: "busy", status: 503, retryAfter: "1" });

  test.each<[string, unknown, string]>([
    ["a getter that throws", throwing(databaseError), "PrismaError: db gone"],
    ["a getter that throws a plain error", throwing(new Error("no")), "Error: no"],
    ["a getter that throws the error of another call", throwing(otherCall), "Busy: busy"],
    ["a getter that throws text", throwing("no"), "no"],
    ["a getter that throws nothing", throwing(undefined), "undefined"],
    ["a getter that throws a symbol", throwing(Symbol("no")), "Symbol(no)"],
    ["a getter that throws after the check", later(), "PrismaError: db gone"],
    ["a toJSON that throws", { toJSON }, "PrismaError: db gone"],
    ["a toJSON that throws within a list", [1, { toJSON }], "PrismaError: db gone"],
    ["nesting that is too deep", nested(20_000), "RangeError: Maximum call stack size exceeded"],
  ])("%s", async (_, value, cause) => {
    const { client, seen } = serving({ status: 200, body: "{}" });
    const error = await failureOf(echo(client, { anything: value } as never));
    expect(error).toBeInstanceOf(RpcError);
    expect(error).toMatchObject({
      name: "WebrpcBadRequest",
      code: -4,
      status: 0,
      message: "bad request",
      cause,
    });
    expect([error.side, error.retryable]).toEqual(["client", false]);
    expect([error.issues, error.retryAfter, seen.length]).toEqual([undefined, undefined, 0]);
  });
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
