import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Client } from "../../../generator/runtime/src/client.ts";
import { chain, isCallOf, result, retries, retryAfterMs } from "../../../generator/runtime/src/client.ts";
import { RpcError } from "../../../generator/runtime/src/errors.ts";
import { getOrders, ping, placeOrder } from "../../fixtures/market/generated/client.ts";
import { RateLimitedError } from "../../fixtures/market/generated/errors.ts";
import { failureOf, serving } from "../../support/served-client.ts";
import type { StubResponse } from "../../support/stub-transport.ts";

describe("interceptors", () => {
  test("wrap calls, the first outermost", async () => {
    const log: string[] = [];
    const named =
      (name: string): NonNullable<Client["interceptor"]> =>
      async (call, next) => {
        log.push(`${name} ${call.method.service}.${call.method.name}`);
        const answer = await next({ ...call, headers: { ...call.headers, [name]: "1" } });
        log.push(`${name} done`);
        return answer;
      };
    const { client, seen } = serving({ status: 200, body: "{}" });
    await ping({ ...client, interceptor: chain(named("a"), named("b")) });
    expect(log).toEqual(["a Marketplace.Ping", "b Marketplace.Ping", "b done", "a done"]);
    expect(seen[0]?.headers).toMatchObject({ a: "1", b: "1" });
  });

  test("see errors, can send again with a fresh token, and know the method", async () => {
    const { client, seen } = serving(
      { status: 401, body: '{"error":"Unauthorized","code":1000}' },
      { status: 200, body: '{"orders":[]}' },
    );
    const ids: unknown[] = [];
    const refreshing: NonNullable<Client["interceptor"]> = async (call, next) => {
      if (isCallOf(getOrders, call)) ids.push(call.req.ids);
      try {
        return await next(call);
      } catch (error) {
        if (!(error instanceof RpcError) || error.status !== 401) throw error;
        return next({ ...call, headers: { Authorization: "fresh" } });
      }
    };
    await getOrders({ ...client, interceptor: refreshing }, { ids: ["1"] });
    expect(seen.map(({ headers }) => headers["authorization"])).toEqual([undefined, "fresh"]);
    expect(ids).toEqual([["1"]]);
  });
});

describe("tries", () => {
  const overloaded = (retryAfter?: string): StubResponse => ({
    status: 503,
    ...(retryAfter === undefined ? {} : { headers: { "Retry-After": retryAfter } }),
    body: '{"error":"Overloaded","code":1901}',
  });
  const orders = { status: 200, body: '{"orders":[]}' };
  const lost = "lost" as const;
  const declared = { status: 400, body: '{"code":2000,"error":"x"}' };

  test.each<[string, typeof getOrders | typeof placeOrder, (StubResponse | "lost")[], number]>([
    ["of an idempotent method, when nothing came back", getOrders, [lost, lost, orders], 3],
    ["of no other method then", placeOrder, [lost, orders], 1],
    ["of any method that the server says it did not do", placeOrder, [overloaded("0"), orders], 2],
    ["of an idempotent method that a gateway lost", getOrders, [{ status: 502, body: "<html>" }, orders], 2],
    ["of no other method without Retry-After", placeOrder, [overloaded(), orders], 1],
    ["after no declared error", getOrders, [declared, orders], 1],
    [
      "of any method after a declared error with Retry-After",
      placeOrder,
      [{ ...declared, headers: { "Retry-After": "0" } }, orders],
      2,
    ],
    ["after no bad response", getOrders, [{ status: 200, body: "<html>" }, orders], 1],
    ["at most two more", getOrders, [lost, lost, lost, orders], 3],
  ])("%s", async (_what, method, answers, tries) => {
    const { client, seen } = serving(...answers);
    await result(method({ ...client, interceptor: retries() }, { ids: [] }));
    expect(seen.length).toBe(tries);
  });

  test.each([
    [428, false],
    [429, true],
    [430, false],
    [500, false],
    [501, false],
    [502, true],
  ])("of an error with status %i: %s", (status, retryable) => {
    expect(new RpcError({ name: "Failed", code: 1, status, message: "failed" }).retryable).toBe(retryable);
  });

  test("are limited by the call's option", async () => {
    const { client, seen } = serving(lost, orders);
    await result(getOrders({ ...client, interceptor: retries() }, { ids: [] }, { retries: 0 }));
    expect(seen.length).toBe(1);
  });

  test.each([-1, 0.5, Number.NaN])("%d is no number of retries", async (count) => {
    const failure = new RangeError(`retries: expected a whole number from 0, found ${count}`);
    expect(() => retries(count)).toThrow(failure);
    const { client, seen } = serving(orders);
    const call = getOrders({ ...client, interceptor: retries(0) }, { ids: [] }, { retries: count });
    await expect(call).rejects.toEqual(failure);
    expect(seen).toEqual([]);
  });

  test("fail immediately if the wait would exceed the timeout", async () => {
    const { client, seen } = serving(overloaded("600"), orders);
    expect(await failureOf(getOrders({ ...client, interceptor: retries() }, { ids: [] }))).toMatchObject({
      code: 1901,
    });
    expect(seen.length).toBe(1);
  });

  test("share one timeout", async () => {
    let attempts = 0;
    const transport: Client["transport"] = async () => {
      attempts++;
      await sleep(60);
      throw new Error("lost");
    };
    const call = getOrders({ url: "", transport, timeoutMs: 100, interceptor: retries(50) }, { ids: [] });
    expect(await failureOf(call)).toMatchObject({ code: -1 });
    // Separate timeouts would allow all fifty.
    expect(attempts).toBeLessThan(3);
  });

  test("an abort ends the wait", async () => {
    const { client, seen } = serving(overloaded("20"), orders);
    const controller = new AbortController();
    const answer = getOrders(
      { ...client, interceptor: retries() },
      { ids: [] },
      { signal: controller.signal },
    );
    await expect.poll(() => seen.length).toBe(1);
    await sleep(20);
    controller.abort();
    expect(await failureOf(answer)).toMatchObject({ code: -8 });
    expect(seen.length).toBe(1);
  });

  test("Retry-After is read in seconds and as a date", () => {
    const asked = (retryAfter: string | null) => retryAfterMs(new RateLimitedError({ retryAfter }));
    expect(asked("2")).toBe(2_000);
    expect(asked(new Date(Date.now() + 90_000).toUTCString())).toBeGreaterThan(30_000);
    expect(asked("Wed, 21 Oct 2015 07:28:00 GMT")).toBe(0);
    expect(asked("soon")).toBeUndefined();
    expect(asked(null)).toBeUndefined();
  });
});
