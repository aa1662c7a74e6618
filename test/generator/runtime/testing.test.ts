import { expect, expectTypeOf, test } from "vitest";
import { expectOk, testContext } from "../../../generator/runtime/src/testing.ts";
import { type DeskHandlers, rpcError as keysError } from "../../fixtures/keys/generated/server.ts";
import { rpcError, type ShopHandlers } from "../../fixtures/shop/generated/server.ts";
import type { GetItemResponse } from "../../fixtures/shop/generated/types.ts";
import { shopHandlers } from "./shop.ts";

const { GetItem, Order } = shopHandlers.Shop;

test("expectOk returns the response of a handler", async () => {
  const response = await expectOk(GetItem(testContext(rpcError), { id: 1 }));
  expectTypeOf(response).toExtend<GetItemResponse>();
  expect(response).toEqual({ item: { id: 1, name: "item 1" } });
  expect(await expectOk(Order(testContext(rpcError), { id: 1 }))).toBeUndefined();
});

test("expectOk throws the error that a handler returned", async () => {
  await expect(expectOk(Order(testContext(rpcError), { id: 409 }))).rejects.toThrow(
    expect.objectContaining({ name: "SoldOut", code: 21 }),
  );
  expect(await GetItem(testContext(rpcError), { id: 404 })).toMatchObject({ name: "NotFound", status: 404 });
});

test("a stream of expectOk throws the error that its generator returned", async () => {
  const seen: unknown[] = [];
  async function* failing() {
    yield 1;
    return rpcError.SoldOut();
  }
  const reading = async (): Promise<void> => {
    for await (const item of await expectOk(failing())) seen.push(item);
  };
  await expect(reading()).rejects.toThrow(expect.objectContaining({ name: "SoldOut" }));
  expect(seen).toEqual([1]);

  let isClosed = false;
  async function* endless() {
    try {
      for (;;) yield 1;
    } finally {
      isClosed = true;
    }
  }
  for await (const _ of await expectOk(endless())) break;
  expect(isClosed).toBe(true);
});

test("a context has its value, and keeps the headers that a handler sets", async () => {
  const echo: ShopHandlers<{ readonly user: string }>["Echo"] = (ctx) => {
    ctx.setHeader("X-User", ctx.context.user);
    return { value: ctx.signal.aborted };
  };
  const ctx = testContext(rpcError, { context: { user: "Ann" } });
  expect(await expectOk(echo(ctx, { value: 1 }))).toEqual({ value: false });
  expect(ctx.headers).toEqual({ "X-User": "Ann" });
  const signal = AbortSignal.abort();
  expect(await expectOk(echo(testContext(rpcError, { ...ctx, signal }), { value: 1 }))).toEqual({
    value: true,
  });
});

test("a context rejects the headers that a server rejects, and ignores letter case", () => {
  const { headers, setHeader } = testContext(rpcError);
  setHeader("X-A", "1");
  setHeader("x-a", "2");
  expect(headers).toEqual({ "x-a": "2" });
  for (const [name, value] of Object.entries({ "Bad Name": "a", "X-B": "a\nb", "Content-Length": "1" }))
    expect(() => setHeader(name, value)).toThrow(TypeError);
});

test("a context is that of conditional writes, too", async () => {
  const put: DeskHandlers["Put"] = (ctx, { id, item }) => {
    ctx.requireMatch("v2");
    return { order: { id, item } };
  };
  const order = { id: 1, item: "pen" };
  expect(await expectOk(put(testContext(keysError), order))).toEqual({ order });
  const requireMatch = () => {
    throw keysError.Changed();
  };
  expect(() => put(testContext(keysError, { requireMatch }), order)).toThrow("changed by another call");
});
