import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { contractIr } from "../../../support/contract-ir.ts";
import { root } from "../../../support/docs.ts";
import { placeholderFault } from "./placeholder.ts";

const services = join(root, "server/host/services");
/** Identical for every service, and without data. */
const health = ["Ping", "Version"];
const methods = contractIr(join(root, "schema/platform.ridl")).services.flatMap(({ name, methods: own }) =>
  own
    .filter((method) => !health.includes(method.name))
    .map((method) => ({ name: `${name}/${method.name}`, ...handlerOf(name, method.name) })),
);

/** A property in the file of the service. */
function handlerOf(service: string, method: string): { readonly path: string; readonly method: string } {
  return { path: join(services, service, `${service.toLowerCase()}.ts`), method };
}

test("the contract has methods", () => {
  expect(methods.length).toBeGreaterThan(15);
});

test.each(methods)("$name has a real handler", ({ path, method }) => {
  expect(placeholderFault(readFileSync(path, "utf8"), method)).toBeUndefined();
});

const handler = readFileSync(join(services, "Marketplace/marketplace.ts"), "utf8");
const body = /GetOrders: \(ctx, req\) => \{.*?\n {4}\},\n/s;

test.each([
  [
    "it says that it is not written",
    'GetOrders: async (ctx, req) => { throw new Error("not implemented"); },\n',
  ],
  ["it answers without its request", "GetOrders: async () => ({ orders: [] }),\n"],
  ["it does not read its request", "GetOrders: async (_ctx, _req) => ({ orders: [] }),\n"],
  ["it does not read its request", "GetOrders: async (ctx, _req) => ctx.errors.Unavailable(),\n"],
  ["it asks none of its ports", "GetOrders: async (ctx, req) => ({ orders: [], page: req.page }),\n"],
  [
    "it asks none of its ports",
    "GetOrders: async (ctx, req) => { networkOf(networks, req); return { orders: [] }; },\n",
  ],
  ["it asks none of its ports", "GetOrders: (ctx, req) => ordersOf(req.input),\n"],
])("a planted placeholder is found: %s", (fault, planted) => {
  expect(placeholderFault(handler.replace(body, planted), "GetOrders")).toBe(fault);
});

test("a placeholder in a file of several handlers is found by its name", () => {
  const { path } = handlerOf("Indexer", "RemoveWebhookListener");
  const text = readFileSync(path, "utf8").replace(
    /RemoveAllWebhookListeners: .*?\n {6}\}\),\n/s,
    "RemoveAllWebhookListeners: async (_ctx, _req) => ({ status: true }),\n",
  );
  expect(placeholderFault(text, "RemoveAllWebhookListeners")).toBe("it does not read its request");
  expect(placeholderFault(text, "RemoveWebhookListener")).toBeUndefined();
});
