import { describe, expect, test, vi } from "vitest";
import { rpcError } from "../../../fixtures/keys/generated/server.ts";
import { type AddOrder, shop } from "./shop.ts";

describe("errors", () => {
  const kept: readonly (readonly [string, AddOrder])[] = [
    [
      "returned",
      (ctx) => ctx.errors.SoldOut({ cause: "none left", expose: true, headers: { "X-Left": "0" } }),
    ],
    [
      "thrown",
      (ctx) => {
        throw ctx.errors.SoldOut({ cause: "none left", expose: true, headers: { "X-Left": "0" } });
      },
    ],
  ];

  test.each(kept)("that the handler declares are kept: %s", async (_about, handle) => {
    const logged: unknown[] = [];
    const { send, runs } = shop(handle, {
      onResponse: ({ status, error }) => logged.push([status, error?.name]),
    });
    const answers = [await send({ key: '"k"' }), await send({ key: '"k"' })];
    expect(runs()).toBe(1);
    for (const { status, body, headers } of answers) {
      expect(status).toBe(409);
      expect(body).toEqual({ error: "SoldOut", code: 100, msg: "sold out", cause: "none left", status: 409 });
      expect(headers.get("x-left")).toBe("0");
      expect(headers.get("x-request-id")).not.toBeNull();
    }
    expect(logged).toEqual([
      [409, "SoldOut"],
      [409, "SoldOut"],
    ]);
  });

  const released: readonly (readonly [string, number, AddOrder])[] = [
    [
      "an unexpected error",
      500,
      () => {
        throw new Error("bug");
      },
    ],
    ["a rejected promise", 500, () => Promise.reject(new Error("bug"))],
    ["a declared error with HTTP 503", 503, (ctx) => ctx.errors.Busy()],
    ["a declared error with HTTP 429", 429, (ctx) => ctx.errors.Slow()],
    [
      "a declared error with Retry-After",
      409,
      (ctx) => ctx.errors.SoldOut({ headers: { "retry-after": "1" } }),
    ],
    ["an error of another method", 500, () => rpcError.Changed() as never],
    ["a protocol error", 500, () => rpcError.protocolError(-7) as never],
    ["an invalid response", 500, () => "text" as never],
    ["an error with invalid data", 500, (ctx) => ctx.errors.Limited("1" as never)],
  ];

  test.each(released)("release the key: %s", async (_about, status, handle) => {
    let isFirst = true;
    const { send, runs } = shop((ctx, req) => {
      if (!isFirst) return { order: { id: 1, item: req.item } };
      isFirst = false;
      return handle(ctx, req);
    });
    expect((await send({ key: '"k"' })).status).toBe(status);
    expect((await send({ key: '"k"' })).status).toBe(200);
    expect((await send({ key: '"k"' })).status).toBe(200);
    expect(runs()).toBe(2);
  });

  test("that failureOf makes of an unexpected error release the key, even if the method declares them", async () => {
    const { send, runs } = shop(
      () => {
        throw new Error("the database is away");
      },
      { mapError: () => rpcError.SoldOut() },
    );
    for (let count = 0; count < 2; count++) expect((await send({ key: '"k"' })).status).toBe(409);
    expect(runs()).toBe(2);
  });

  test("of the store are errors of the call", async () => {
    const store = { run: () => Promise.reject(new Error("no connection")) };
    const { send, runs } = shop(undefined, { mapError: () => rpcError.Busy() }, { store });
    expect([(await send({ key: '"k"' })).status, runs()]).toEqual([503, 0]);
  });

  test("before the handler use up no key", async () => {
    const refused = vi.fn(() => rpcError.Slow());
    const { send, runs } = shop(undefined, {
      checkRequest: (_call, request) => ((request as { item: string }).item === "no" ? refused() : undefined),
    });
    expect((await send({ key: '"k"', body: '{"item":"no"}' })).status).toBe(429);
    expect((await send({ key: '"k"', body: "{}" })).status).toBe(400);
    expect([(await send({ key: '"k"' })).status, runs()]).toEqual([200, 1]);
    // What a caller may no longer do, a key does not show.
    expect((await send({ key: '"k"', body: '{"item":"no"}' })).status).toBe(429);
  });
});
