import { existsSync, readFileSync } from "node:fs";
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

/** A file of its own, or a property in the file of the service. */
function handlerOf(service: string, method: string): { readonly path: string; readonly property?: string } {
  const path = join(services, service, `${method}.ts`);
  if (existsSync(path)) return { path };
  return { path: join(services, service, `${service.toLowerCase()}.ts`), property: method };
}

test("the contract has methods", () => {
  expect(methods.length).toBeGreaterThan(15);
});

test.each(methods)("$name has a real handler", ({ path, property }) => {
  expect(placeholderFault(readFileSync(path, "utf8"), property)).toBeUndefined();
});

const handler = readFileSync(join(services, "Marketplace/GetOrders.ts"), "utf8");
const body = /return async \(ctx, req\) => \{.*?\n {2}\};/s;

test.each([
  ["it says that it is not written", 'return async (ctx, req) => { throw new Error("not implemented"); };'],
  ["it answers without its request", "return async () => ({ orders: [] });"],
  ["it does not read its request", "return async (_ctx, _req) => ({ orders: [] });"],
  ["it does not read its request", "return async (ctx, _req) => ctx.errors.Unavailable();"],
  ["it asks none of its ports", "return async (ctx, req) => ({ orders: [], page: req.page });"],
  [
    "it asks none of its ports",
    "return async (ctx, req) => { networkOf(networks, req); return { orders: [] }; };",
  ],
])("a planted placeholder is found: %s", (fault, planted) => {
  expect(placeholderFault(handler.replace(body, planted))).toBe(fault);
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
