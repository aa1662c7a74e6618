/**
 * Cloudflare Workers reject randomness, timers and clocks before the first request, so importing and constructing must
 * not use them.
 */
import { afterEach, expect, test, vi } from "vitest";

afterEach(() => vi.restoreAllMocks());

test("importing modules and creating a server uses no randomness, timers or clocks", async () => {
  const refuse = (name: string) => () => {
    throw new Error(`${name} in the global scope`);
  };
  vi.resetModules();
  const generated = "../../fixtures/shop/generated";
  const runtime = "../../../generator/runtime/src";
  // Transforming modules uses the clocks of this process, so it happens once beforehand.
  await importAll();
  vi.resetModules();
  vi.spyOn(crypto, "getRandomValues").mockImplementation(refuse("crypto.getRandomValues"));
  vi.spyOn(crypto, "randomUUID").mockImplementation(refuse("crypto.randomUUID"));
  vi.spyOn(Math, "random").mockImplementation(refuse("Math.random"));
  const { server, fetch, handlers, routed, routedHandlers } = await importAll();
  vi.spyOn(Date, "now").mockImplementation(refuse("Date.now"));
  vi.spyOn(performance, "now").mockImplementation(refuse("performance.now"));
  vi.spyOn(globalThis, "setTimeout").mockImplementation(refuse("setTimeout") as never);
  vi.spyOn(globalThis, "setInterval").mockImplementation(refuse("setInterval") as never);
  const serve = fetch.fetchHandler(server.createServer(handlers.shopHandlers) as never);
  const serveRoutes = fetch.fetchHandler(routed.createServer(routedHandlers.routedHandlers) as never);
  vi.restoreAllMocks();
  const response = await serve(
    new Request("http://shop/v2/rpc/Shop/GetItem", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: '{"id":1}',
    }),
  );
  expect(await response.json()).toEqual({ item: { id: 1, name: "item 1" } });
  const routedResponse = await serveRoutes(new Request("http://routes/rpc/items/1"));
  expect(await routedResponse.json()).toEqual({ item: { id: 1, name: "item 1", tags: [] } });

  async function importAll() {
    return {
      server: (await import(
        `${generated}/server.ts`
      )) as typeof import("../../fixtures/shop/generated/server.ts"),
      fetch: (await import(
        `${runtime}/fetch.ts`
      )) as typeof import("../../../generator/runtime/src/fetch.ts"),
      routed: await import("../../fixtures/routes/generated/server.ts"),
      routedHandlers: await import("./routes/handlers.ts"),
      handlers: (await import("./shop.ts")) as typeof import("./shop.ts"),
    };
  }
});
