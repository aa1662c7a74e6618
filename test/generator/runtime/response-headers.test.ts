import Koa from "koa";
import { describe, expect, test } from "vitest";
import type { HandlerContext } from "../../../generator/runtime/src/handler.ts";
import { koaMiddleware } from "../../../generator/runtime/src/koa.ts";
import { nodeListener } from "../../../generator/runtime/src/node.ts";
import type { CallLog } from "../../../generator/runtime/src/options.ts";
import type { ReadContext } from "../../../generator/runtime/src/reads.ts";
import { createServer as createReads } from "../../fixtures/reads/generated/server.ts";
import { createServer } from "../../fixtures/shop/generated/server.ts";
import { createServer as createWire } from "../../fixtures/wire/generated/server.ts";
import { adapterNames, listen, serveWith } from "../../support/adapters.ts";
import { echoHandlers } from "../../support/feed.ts";
import { newShelf } from "./reads/handlers.ts";
import { shopWith } from "./shop.ts";

/** A server whose GetItem runs `act` before it returns an item, or NotFound for the id 404. */
function serverThat(act: (ctx: HandlerContext<unknown>) => void, logs: CallLog[] = []) {
  const getItem = (ctx: HandlerContext<unknown>, { id }: { readonly id: number }) => {
    act(ctx);
    return id === 404 ? ctx.errors["NotFound"]?.() : { item: { id, name: "lamp" } };
  };
  return createServer(shopWith(getItem as never), { onResponse: (log) => logs.push(log) });
}

const post = (url: string, path = "/v2/rpc/Shop/GetItem", body: object = { id: 1 }): Promise<Response> =>
  fetch(url + path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

describe.each(adapterNames)("ctx.setHeader with %s", (adapter) => {
  test("adds headers to responses and to errors, several of one name, the last of two calls", async () => {
    const server = serverThat((ctx) => {
      ctx.setHeader("X-Total", "3");
      ctx.setHeader("x-total", "4");
      ctx.setHeader("Set-Cookie", ["a=1; Path=/", "b=2"]);
    });
    await using running = await serveWith(adapter, server);
    for (const [id, status] of [
      [1, 200],
      [404, 404],
    ] as const) {
      const { headers, ...response } = await post(running.url, undefined, { id }).then((one) => ({
        status: one.status,
        headers: one.headers,
      }));
      expect(response.status).toBe(status);
      expect([headers.get("x-total"), headers.getSetCookie()]).toEqual(["4", ["a=1; Path=/", "b=2"]]);
    }
  });

  test("adds nothing to an error that the handler did not choose", async () => {
    const server = serverThat((ctx) => {
      ctx.setHeader("X-Total", "3");
      throw new Error("a bug");
    });
    await using running = await serveWith(adapter, server);
    const { status, headers } = await post(running.url);
    expect([status, headers.get("x-total")]).toEqual([500, null]);
  });

  test.each([
    ["X-Bad\r\nX-Injected", "1", "invalid name or value"],
    ["X-Bad", "1\r\nX-Injected: 2", "invalid name or value"],
    ["X-Bad", ["1", "ü→"], "invalid name or value"],
    ["", "1", "invalid name or value"],
    ["content-TYPE", "text/html", "it is set by the server"],
    ["Webrpc", "x", "it is set by the server"],
    ["Transfer-Encoding", "chunked", "it is set by the server"],
  ])("%j: %j is an internal error: %s", async (name, value, reason) => {
    const logs: CallLog[] = [];
    await using running = await serveWith(
      adapter,
      serverThat((ctx) => ctx.setHeader(name, value), logs),
    );
    const response = await post(running.url);
    expect([response.status, response.headers.get("x-injected")]).toEqual([500, null]);
    expect(await response.text()).not.toContain(reason);
    expect(String(logs[0]?.cause)).toContain(reason);
  });

  test("is too late in the items of a stream", async () => {
    const logs: CallLog[] = [];
    const Watch = async function* (ctx: HandlerContext<unknown>): AsyncGenerator<never, void> {
      ctx.setHeader("X-Late", "1");
      yield* echoHandlers.Wire.Tail();
    };
    const handlers = { Wire: { ...echoHandlers.Wire, Watch } };
    const server = createWire(handlers as never, { onResponse: (log) => logs.push(log) });
    await using running = await serveWith(adapter, server);
    const response = await post(running.url, "/api/v2/Wire/Watch", { feed: "x", from: 1, count: 1 });
    expect([response.status, response.headers.get("x-late")]).toEqual([200, null]);
    expect(await response.text()).toContain("WebrpcInternalError");
    expect(String(logs[0]?.cause)).toContain("header X-Late: the response has been sent");
  });

  test("works before a stream starts", async () => {
    const Watch = (ctx: HandlerContext<unknown>, req: { readonly from: number }) => {
      ctx.setHeader("X-Early", "1");
      return echoHandlers.Wire.Watch(ctx, req);
    };
    const handlers = { Wire: { ...echoHandlers.Wire, Watch } };
    await using running = await serveWith(adapter, createWire(handlers as never));
    const response = await post(running.url, "/api/v2/Wire/Watch", { feed: "x", from: 1, count: 1 });
    await response.text();
    expect(response.headers.get("x-early")).toBe("1");
  });
});

describe("cookies and Vary of middlewares", () => {
  const server = serverThat((ctx) => {
    ctx.setHeader("Set-Cookie", "b=2");
    ctx.setHeader("Vary", "X-Key");
    ctx.setHeader("X-One", "handler");
  });

  test.each([
    [
      "koa",
      () => {
        const app = new Koa();
        app.use((ctx, next) => {
          ctx.set({ "Set-Cookie": "a=1", Vary: "Origin", "X-One": "middleware" });
          return next();
        });
        return app.use(koaMiddleware(server)).callback();
      },
    ],
    [
      "node-http",
      () => {
        const listener = nodeListener(server);
        return (...[req, res]: Parameters<typeof listener>) => {
          res.setHeader("Set-Cookie", ["a=1"]);
          res.setHeader("Vary", "Origin");
          res.setHeader("X-One", "middleware");
          listener(req, res);
        };
      },
    ],
  ])("are kept by %s; other headers are replaced", async (_name, create) => {
    const { createServer: createHttp } = await import("node:http");
    await using running = await listen(createHttp(create()));
    const { headers } = await post(running.url);
    expect([headers.getSetCookie(), headers.get("vary"), headers.get("x-one")]).toEqual([
      ["a=1", "b=2"],
      "Origin, X-Key",
      "handler",
    ]);
  });
});

describe("responses that caches keep", () => {
  test.each(["GET", "POST"])("have other headers, but no cookies, by %s", async (method) => {
    const logs: CallLog[] = [];
    const shelf = newShelf();
    const GetOrder = ({ setHeader, notModified }: ReadContext<unknown>, { id }: { readonly id: number }) => {
      setHeader("X-Total", "3");
      setHeader("cache-control", "max-age=9");
      if (id === 2) setHeader("set-Cookie", "a=1");
      return notModified("1") ?? { order: { id, note: "" } };
    };
    const handlers = { ...shelf.handlers, Shop: { ...shelf.handlers.Shop, GetOrder } };
    const server = createReads(handlers, { onResponse: (log) => logs.push(log) });
    await using running = await serveWith("node-http", server);
    const call = (id: number, headers: Record<string, string> = {}): Promise<Response> =>
      method === "POST"
        ? post(running.url, "/rpc/Shop/GetOrder", { id })
        : fetch(`${running.url}/rpc/Shop/GetOrder?q=${encodeURIComponent(JSON.stringify({ id }))}`, {
            headers,
          });
    const first = await call(1);
    const cached = method === "GET" ? "max-age=60" : "max-age=9";
    expect([first.status, first.headers.get("x-total"), first.headers.get("cache-control")]).toEqual([
      200,
      "3",
      cached,
    ]);
    if (method === "GET") {
      const second = await call(1, { "If-None-Match": first.headers.get("etag") ?? "" });
      expect([second.status, second.headers.get("x-total")]).toEqual([304, "3"]);
    }
    const refused = await call(2);
    expect([refused.status, refused.headers.getSetCookie()]).toEqual([500, []]);
    expect(String(logs.at(-1)?.cause)).toContain("a method with @cache sets no cookies");
  });
});
