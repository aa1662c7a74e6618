import { expect, test } from "vitest";
import type { Client } from "../../../generator/runtime/src/client.ts";
import { result, retries, withResponse } from "../../../generator/runtime/src/client.ts";
import { getOrders, ping } from "../../fixtures/market/generated/client.ts";
import { serving } from "../../support/served-client.ts";

test("returns the value with the status and the headers of its response", async () => {
  const { client, seen } = serving({ status: 200, headers: { "X-Total": "3" }, body: '{"orders":[]}' });
  const { value, response } = await withResponse(getOrders, client, { ids: [] }, { headers: { a: "1" } });
  expect(value).toEqual({ orders: [] });
  expect([response?.status, response?.headers.get("x-total"), response?.headers.get("x-none")]).toEqual([
    200,
    "3",
    null,
  ]);
  expect(seen[0]?.headers["a"]).toBe("1");
});

test("has the response of the last attempt", async () => {
  const { client } = serving(
    { status: 503, headers: { "x-attempt": "1" }, body: "busy" },
    { status: 200, headers: { "x-attempt": "2" }, body: "{}" },
  );
  const { response } = await withResponse(ping, { ...client, interceptor: retries() });
  expect(response?.headers.get("x-attempt")).toBe("2");
});

test("has no response if an interceptor returned the value", async () => {
  const client: Client = { url: "https://a.example", interceptor: async () => ({ orders: [] }) };
  expect(await withResponse(getOrders, client, { ids: [] })).toEqual({
    value: { orders: [] },
    response: undefined,
  });
});

test("fails as the call does", async () => {
  const { client } = serving({
    status: 400,
    body: '{"webrpc":true,"error":"NotFound","code":3000,"msg":"none"}',
  });
  const outcome = await result(withResponse(getOrders, client, { ids: [] }));
  expect(outcome.error?.name).toBe("NotFound");
  // @ts-expect-error the request is needed
  const invalid = () => withResponse(getOrders, client);
  expect(invalid).toBeTypeOf("function");
});
