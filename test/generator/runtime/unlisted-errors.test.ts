import { expect, test } from "vitest";
import { fetchHandler } from "../../../generator/runtime/src/fetch.ts";
import { RpcFailure } from "../../../generator/runtime/src/handler.ts";
import type { CallLog, ServerOptions } from "../../../generator/runtime/src/options.ts";
import {
  createServer,
  rpcError,
  type SchemaErrorName,
  schemaErrors,
} from "../../fixtures/shop/generated/server.ts";
import { shopWith } from "./shop.ts";

const notFound = schemaErrors.find(({ name }) => name === "NotFound") as (typeof schemaErrors)[number];

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

test.each([
  ["another output", new RpcFailure({ ...notFound })],
  ["another copy of the runtime, or a client", Object.assign(new Error("x"), notFound)],
])("an error of the same name from %s is logged as such", async (_what, foreign) => {
  const text = "NotFound of other generated code: use the `errors` of the call";
  const { response, log } = await callWith(foreign);
  expect(response.status).toBe(500);
  expect(log?.cause).toMatchObject({ message: `Shop.GetItem raised ${text}`, cause: foreign });
  const guards = [() => Promise.reject(foreign)];
  const { log: ofGuard } = await callWith(rpcError.NotFound(), { guards });
  expect(ofGuard?.cause).toMatchObject({ message: `a hook raised ${text}` });
});

function createdHere() {
  return rpcError.SoldOut();
}

async function callWith(failure: Error, options: ServerOptions<unknown, SchemaErrorName> = {}) {
  const logs: CallLog[] = [];
  const handlers = shopWith(() => Promise.reject(failure));
  const server = createServer(handlers, { ...options, onResponse: (log) => logs.push(log) });
  const response = await fetchHandler(server)(
    new Request("http://memory/v2/rpc/Shop/GetItem", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: '{"id":1}',
    }),
  );
  return { response, body: (await response.json()) as unknown, log: logs[0] };
}
