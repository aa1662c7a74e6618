import { expect, test } from "vitest";
import { fetchHandler } from "../../../generator/runtime/src/fetch.ts";
import type { CallLog } from "../../../generator/runtime/src/options.ts";
import { createServer, rpcError } from "../../fixtures/shop/generated/server.ts";
import { shopWith } from "./shop.ts";

test.each([
  ["an error of the method", rpcError.NotFound(), 404],
  ["an error that no method lists", rpcError.Unauthorized(), 401],
  ["an error that only other methods list", rpcError.SoldOut(), 500],
])("%s reaches the caller of a handler that throws it: HTTP %j", async (_what, failure, status) => {
  const { response, body } = await callWith(failure);
  expect(response.status).toBe(status);
  expect(body).toMatchObject({ error: status === 500 ? "WebrpcInternalError" : failure.name });
});

test("an error of other methods is logged as a bug, with the place where it was created", async () => {
  const soldOut = createdHere();
  const { log } = await callWith(soldOut);
  const cause = log?.cause as Error & { readonly cause: unknown };
  expect(cause.message).toBe("Shop.GetItem raised SoldOut, which is not one of its errors");
  expect(cause.cause).toBe(soldOut);
  expect(cause.stack).toMatch(/^Error: Shop\.GetItem raised SoldOut[\s\S]+createdHere/);
});

function createdHere() {
  return rpcError.SoldOut();
}

async function callWith(failure: Error) {
  const logs: CallLog[] = [];
  const handlers = shopWith(() => Promise.reject(failure));
  const response = await fetchHandler(createServer(handlers, { onResponse: (log) => logs.push(log) }))(
    new Request("http://memory/v2/rpc/Shop/GetItem", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: '{"id":1}',
    }),
  );
  return { response, body: (await response.json()) as unknown, log: logs[0] };
}
