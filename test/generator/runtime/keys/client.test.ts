import { describe, expect, test, vi } from "vitest";
import type { Client, Interceptor } from "../../../../generator/runtime/src/client.ts";
import { chain, isCallOf, retries } from "../../../../generator/runtime/src/client.ts";
import { mutationOptions } from "../../../../generator/runtime/src/tanstack-query.ts";
import { addOrder, clear, plain, put, Shop } from "../../../fixtures/keys/generated/client.ts";
import { failureOf, serving } from "../../../support/served-client.ts";
import type { StubResponse } from "../../../support/stub-transport.ts";

const pen = { item: "pen" };
const order: StubResponse = { status: 200, body: '{"order":{"id":1,"item":"pen"}}' };
const bad = (status: number, headers = {}): StubResponse => ({
  status,
  headers,
  body: `{"error":"WebrpcBadRequest","code":-4,"msg":"bad request","status":${status}}`,
});
const running = bad(409, { "Retry-After": "0" });

function keysOf(seen: readonly { readonly headers: Readonly<Record<string, string>> }[]) {
  return seen.map(({ headers }) => headers["idempotency-key"]);
}

/** Two random numbers of 64 bits. */
const randomKey = /^"[0-9]{1,20}-[0-9]{1,20}"$/;

describe("a call has one key", () => {
  test("of its own, which is random", async () => {
    const { client, seen } = serving(order);
    await addOrder(client, pen);
    await new Shop(client).addOrder(pen);
    await clear({ ...client });
    await put(client, { id: 1, item: "pen" });
    const keys = keysOf(seen);
    for (const key of keys) expect(key).toMatch(randomKey);
    expect(new Set(keys).size).toBe(4);
    await plain(client, pen);
    expect(keysOf(seen).at(-1)).toBeUndefined();
  });

  test("for all attempts, whatever interceptors do", async () => {
    const { client, seen } = serving("lost", bad(503), running, "lost", order);
    const again: Interceptor = async (call, next) => {
      expect(isCallOf(addOrder, call)).toBe(true);
      await next(call).catch(() => {});
      return next({ ...call, headers: { ...call.headers, "X-A": "b" } });
    };
    await addOrder({ ...client, interceptor: chain(again, retries(2)) }, pen);
    await expect(addOrder({ ...client, interceptor: again }, pen)).resolves.toEqual({
      order: { id: 1, item: "pen" },
    });
    const keys = keysOf(seen);
    const first = keys.slice(0, -2);
    expect(new Set(first).size).toBe(1);
    expect(first.length).toBeGreaterThanOrEqual(4);
    expect(new Set(keys).size).toBe(2);
  });

  test.each([
    ["as given", "form-7", '"form-7"'],
    ["escaped", 'a"b\\c', '"a\\"b\\\\c"'],
    ["of one character", "k", '"k"'],
    ["of 255 characters", "k".repeat(255), `"${"k".repeat(255)}"`],
  ])("of the caller, %s", async (_about, idempotencyKey, sent) => {
    const { client, seen } = serving(order);
    await addOrder(client, pen, { idempotencyKey, headers: { "X-A": "b" } });
    expect(seen[0]?.headers).toMatchObject({ "idempotency-key": sent, "x-a": "b" });
  });

  test.each([
    ["is empty", ""],
    ["has 256 characters", "k".repeat(256)],
    ["has a line break", "a\nb"],
    ["has other characters than ASCII", "\u00e9"],
  ])("but a key that %s is refused", async (_about, idempotencyKey) => {
    const { client, seen } = serving(order);
    const called = addOrder(client, pen, { idempotencyKey });
    const message = `AddOrder: idempotencyKey: expected 1 to 255 printable ASCII characters, found "${idempotencyKey}"`;
    await expect(called).rejects.toEqual(new TypeError(message));
    expect(seen).toEqual([]);
  });

  test("for each mutate() of TanStack Query", async () => {
    const { client, seen } = serving(order);
    const { mutationFn } = mutationOptions(addOrder, client);
    await mutationFn(pen);
    await mutationFn(pen);
    expect(new Set(keysOf(seen)).size).toBe(2);
  });
});

describe("retries", () => {
  const retrying = (client: Client): Client => ({ ...client, interceptor: retries(3) });

  test("repeat a call whose response was lost, or whose first attempt has not ended", async () => {
    const { client, seen } = serving("lost", running, order);
    await addOrder(retrying(client), pen);
    expect(seen).toHaveLength(3);
    expect(new Set(keysOf(seen)).size).toBe(1);
  });

  test.each([
    ["another request of the key", bad(422)],
    ["a response that was not kept", bad(409)],
    ["a malformed key", bad(400)],
  ])("do not repeat %s", async (_about, answer) => {
    const { client, seen } = serving(answer);
    const error = await failureOf(addOrder(retrying(client), pen));
    expect([error.status, error.retryable, seen.length]).toEqual([answer.status, false, 1]);
  });

  test("do not repeat a method without the annotation", async () => {
    const { client, seen } = serving("lost");
    await failureOf(plain(retrying(client), pen));
    expect(seen).toHaveLength(1);
  });
});

test("a page without HTTPS has keys, too, although it has no randomUUID", async () => {
  const missing = vi.spyOn(crypto, "randomUUID").mockImplementation(() => {
    throw new TypeError("crypto.randomUUID is not a function");
  });
  const { client, seen } = serving(order);
  await addOrder(client, pen);
  missing.mockRestore();
  expect(keysOf(seen)).toEqual([expect.stringMatching(randomKey)]);
});
