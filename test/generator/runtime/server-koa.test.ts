import { createServer as createHttpServer } from "node:http";
import { gunzipSync, gzipSync } from "node:zlib";
import Router from "@koa/router";
import Koa, { type Middleware } from "koa";
import { describe, expect, test } from "vitest";
import { koaMiddleware } from "../../../generator/runtime/src/koa.ts";
import { createServer } from "../../fixtures/shop/generated/server.ts";
import { listen } from "../../support/adapters.ts";
import { type RawRequest, rawRequest } from "../../support/raw-http.ts";
import { shopHandlers, shopWith } from "./shop.ts";

const rpc = koaMiddleware(createServer(shopHandlers));

describe("Koa middleware keeps working", () => {
  test("outer middleware sees status, headers and body", async () => {
    const seen: unknown[] = [];
    const look: Middleware = async (ctx, next) => {
      await next();
      seen.push(
        ctx.status,
        ctx.type,
        ctx.length,
        String(ctx.body),
        ctx.response.get("Webrpc").startsWith("webrpc@"),
      );
    };
    await once([look, rpc]);
    await once([look, rpc], { body: '{"id":405}' });
    const failure = {
      error: "NotFound",
      code: 20,
      msg: "there is no such thing",
      cause: "ids start at 1000",
      status: 404,
    };
    expect(seen).toEqual([
      200,
      "application/json",
      33,
      '{"item":{"id":1,"name":"item 1"}}',
      true,
      404,
      "application/json",
      JSON.stringify(failure).length,
      JSON.stringify(failure),
      true,
    ]);
  });

  test("CORS, timing, compression and a changed status all reach the caller", async () => {
    const cors: Middleware = async (ctx, next) => {
      ctx.set("Access-Control-Allow-Origin", "*");
      if (ctx.method === "OPTIONS") ctx.status = 204;
      else await next();
    };
    const timing: Middleware = async (ctx, next) => {
      await next();
      ctx.set("Server-Timing", "app;dur=1");
    };
    const compress: Middleware = async (ctx, next) => {
      await next();
      ctx.body = gzipSync(ctx.body as Buffer);
      ctx.set("Content-Encoding", "gzip");
    };
    const accepted: Middleware = async (ctx, next) => {
      await next();
      ctx.status = 202;
    };
    const all = [cors, timing, compress, accepted, rpc];
    const { status, headers, bytes } = await fetchOnce(all);
    expect(status).toBe(202);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("server-timing")).toBe("app;dur=1");
    expect(headers.get("content-type")).toBe("application/json");
    expect(JSON.parse(bytes.toString())).toEqual({ item: { id: 1, name: "item 1" } });
    expect(await once(all, { method: "OPTIONS" })).toMatchObject({ status: 204 });
    // Rejections have them, too.
    expect((await once([cors, rpc], { body: "{" })).headers["access-control-allow-origin"]).toBe("*");
  });

  test("concurrent responses of any size and script arrive complete", async () => {
    const texts = [1, 700, 21_845, 21_846, 70_000, 300_000].flatMap((length) =>
      ["a", "é", "漢", "😀"].map((sign) => sign.repeat(length / 2 + 1)),
    );
    await using running = await listen(createHttpServer(appOf([rpc]).callback()));
    const answers = await Promise.all(
      texts.map(async (value) => {
        const body = JSON.stringify({ value });
        const headers = { "Content-Type": "application/json" };
        const response = await fetch(`${running.url}/v2/rpc/Shop/Echo`, { method: "POST", headers, body });
        return (await response.json()) as { value: string };
      }),
    );
    expect(answers.map(({ value }) => value)).toEqual(texts);
  });

  test("middleware can replace and remove the body", async () => {
    const replace: Middleware = async (ctx, next) => {
      await next();
      ctx.body = { wrapped: JSON.parse(String(ctx.body)) };
    };
    expect(JSON.parse((await once([replace, rpc])).body)).toEqual({
      wrapped: { item: { id: 1, name: "item 1" } },
    });
    const drop: Middleware = async (ctx, next) => {
      await next();
      ctx.status = 204;
    };
    expect(await once([drop, rpc])).toMatchObject({ status: 204, body: "" });
  });

  test("earlier middleware can reject a call, and an error handler sees no errors of calls", async () => {
    const caught: unknown[] = [];
    const errors: Middleware = async (_ctx, next) => {
      try {
        await next();
      } catch (error) {
        caught.push(error);
      }
    };
    const bad = koaMiddleware(
      createServer(
        shopWith(() => {
          throw new Error("secret");
        }),
      ),
    );
    expect(await once([errors, bad])).toMatchObject({ status: 500 });
    expect(caught).toEqual([]);
    const maintenance: Middleware = (ctx) => ctx.throw(503);
    expect(await once([maintenance, rpc])).toMatchObject({ status: 503 });
  });
});

describe("mounting", () => {
  const page: Middleware = (ctx) => {
    ctx.body = `page ${ctx.path}`;
  };

  test("paths outside of the API go to the next middleware, unknown paths inside do not", async () => {
    expect(await once([rpc, page], { path: "/about", method: "GET" })).toMatchObject({ body: "page /about" });
    expect(await once([rpc, page], { path: "/v2/rpc" })).toMatchObject({ body: "page /v2/rpc" });
    expect(await once([rpc, page], { path: "/v2/rpc/Shop/Nothing" })).toMatchObject({ status: 404 });
  });

  test("the path option can strip a prefix", async () => {
    const carrying = createServer(
      shopWith((ctx: { context: string }) => ({ item: { id: 1, name: ctx.context } })),
      {
        context: (call: { readonly carrier: Koa.Context }) => String(call.carrier["params"].network),
      },
    );
    const router = new Router();
    const prefixed = koaMiddleware(carrying, {
      path: (ctx) => ctx.path.slice(ctx["params"].network.length + 1),
    });
    router.all("/:network/v2/rpc/{*call}", prefixed);
    router.get("/health", page);
    const routes = router.routes() as unknown as Middleware;
    const { body } = await once([routes], { path: "/polygon/v2/rpc/Shop/GetItem" });
    expect(JSON.parse(body)).toEqual({ item: { id: 1, name: "polygon" } });
    expect(await once([routes], { path: "/health", method: "GET" })).toMatchObject({
      body: "page /health",
    });
  });

  test("it works under a router's prefix, with middleware of the router and of one method, next to other routes", async () => {
    const seen: string[] = [];
    const named =
      (name: string): Middleware =>
      (_ctx, next) => {
        seen.push(name);
        return next();
      };
    const router = new Router({ prefix: "/api" });
    router.use(named("router"));
    router.post("/v2/rpc/Shop/GetItem", named("GetItem"));
    router.all(
      "/v2/rpc/{*call}",
      koaMiddleware(createServer(shopHandlers), { path: (ctx) => ctx.path.slice(4) }),
    );
    router.get("/health", page);
    const routes = router.routes() as unknown as Middleware;
    const rows = [
      [{ path: "/api/v2/rpc/Shop/GetItem" }, 200, ["router", "GetItem"]],
      [{ path: "/api/v2/rpc/Shop/Echo", body: '{"value":1}' }, 200, ["router"]],
      [{ path: "/api/v2/rpc/Shop/Nothing" }, 404, ["router"]],
      [{ path: "/api/v2/rpc/Shop/GetItem", method: "GET" }, 405, ["router"]],
      [{ path: "/api/health", method: "GET" }, 200, ["router"]],
      [{ path: "/v2/rpc/Shop/GetItem" }, 404, []],
    ] as const;
    for (const [request, status, middleware] of rows) {
      seen.length = 0;
      expect(await once([routes], request)).toMatchObject({ status });
      expect(seen).toEqual(middleware);
    }
  });

  test("a rewritten URL is used", async () => {
    const strip: Middleware = (ctx, next) => {
      ctx.path = ctx.path.replace("/api", "");
      return next();
    };
    expect(await once([strip, rpc], { path: "/api/v2/rpc/Shop/GetItem" })).toMatchObject({ status: 200 });
  });

  test("a body that a parser has already read is used", async () => {
    const parser: Middleware = async (ctx, next) => {
      const chunks: Buffer[] = [];
      for await (const chunk of ctx.req) chunks.push(chunk as Buffer);
      (ctx.request as { body?: unknown }).body = JSON.parse(Buffer.concat(chunks).toString());
      await next();
    };
    expect(await once([parser, rpc])).toMatchObject({ status: 200 });
    expect(JSON.parse((await once([parser, rpc], { body: '{"id":"\\u0000"}' })).body)).toMatchObject({
      code: -4,
      cause: "NUL in a key or a string",
    });
    for (const body of ['{"id":"\\ud800"}', '{"id":1,"x":{"\\udc00":1}}'])
      expect(JSON.parse((await once([parser, rpc], { body })).body)).toMatchObject({
        code: -4,
        cause: "a lone surrogate in a key or a string",
      });
    const deep = `{"id":1,"x":${"[".repeat(70)}${"]".repeat(70)}}`;
    expect(JSON.parse((await once([parser, rpc], { body: deep })).body)).toMatchObject({
      cause: "JSON is nested deeper than 64",
    });
  });
});

async function once(middleware: readonly Middleware[], request: Partial<RawRequest> = {}) {
  await using running = await listen(createHttpServer(appOf(middleware).callback()));
  return await rawRequest(running.port, { path: "/v2/rpc/Shop/GetItem", body: '{"id":1}', ...request });
}

async function fetchOnce(middleware: readonly Middleware[]) {
  await using running = await listen(createHttpServer(appOf(middleware).callback()));
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(`${running.url}/v2/rpc/Shop/GetItem`, {
    method: "POST",
    headers,
    body: '{"id":1}',
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isPacked = bytes[0] === 0x1f;
  return { status: response.status, headers: response.headers, bytes: isPacked ? gunzipSync(bytes) : bytes };
}

function appOf(middleware: readonly Middleware[]): Koa {
  const app = new Koa();
  app.silent = true;
  for (const each of middleware) app.use(each);
  return app;
}
