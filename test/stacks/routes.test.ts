/** Methods with routes, mounted in frameworks. */
import { createServer as createHttp, type RequestListener, type Server } from "node:http";
import Koa, { type Middleware } from "koa";
import { describe, expect, test } from "vitest";
import { fetchHandler } from "../../generator/codegen/runtime/v1/fetch.ts";
import { koaMiddleware } from "../../generator/codegen/runtime/v1/koa.ts";
import { nodeListener } from "../../generator/codegen/runtime/v1/node-http.ts";
import { createServer } from "../fixtures/routes/generated/server/index.ts";
import { routedHandlers } from "../generator/codegen/runtime/routes/handlers.ts";
import { listen } from "../support/adapters.ts";
import { isInstalled, loadPackage } from "./packages.ts";

const server = createServer(routedHandlers, { checkResponses: true });

interface Express {
  (): RequestListener & { use(...parts: readonly unknown[]): void };
  json(): unknown;
}

interface FastifyScope {
  removeAllContentTypeParsers(): void;
  addContentTypeParser(type: string, parse: (req: unknown, body: unknown, done: () => void) => void): void;
  all(
    path: string,
    handle: (request: { readonly raw: unknown }, reply: { readonly raw: unknown; hijack(): void }) => void,
  ): void;
}
type Fastify = (options: object) => {
  addHttpMethod(name: string, options: object): void;
  register(plugin: (scope: FastifyScope) => Promise<void>): void;
  ready(): Promise<void>;
  readonly server: Server;
};

interface Hono {
  readonly Hono: new () => {
    all(
      path: string,
      handle: (context: { readonly req: { readonly raw: Request } }) => unknown,
    ): {
      readonly fetch: (request: Request) => Promise<Response>;
    };
  };
}
interface HonoServer {
  createAdaptorServer(options: { readonly fetch: (request: Request) => Promise<Response> }): Server;
}

/** Each mounts the server below a prefix. */
const mounts: Readonly<Record<string, readonly [prefix: string, mount: () => Server | Promise<Server>]>> = {
  "Express 5": ["/api", () => express("express", "/api")],
  "Express 4": ["/api", () => express("express-4", "/api")],
  "Express below the basepath": ["/api", () => express("express", "/api/rpc")],
  "koa-mount": [
    "/api",
    () => {
      const mount = loadPackage("koa-mount") as (path: string, middleware: Middleware) => Middleware;
      return createHttp(new Koa().use(mount("/api", koaMiddleware(server))).callback());
    },
  ],
  Fastify: [
    "",
    async () => {
      const app = (loadPackage("fastify") as Fastify)({});
      // Fastify's own QUERY needs a body.
      app.addHttpMethod("QUERY", { overrideExisting: true });
      const listener = nodeListener(server);
      app.register(async (api) => {
        api.removeAllContentTypeParsers();
        api.addContentTypeParser("*", (_request, _body, done) => done());
        api.all("/rpc/*", (request, reply) => {
          reply.hijack();
          listener(request.raw as never, reply.raw as never);
        });
      });
      await app.ready();
      return app.server;
    },
  ],
  Hono: [
    "",
    () => {
      const { Hono: App } = loadPackage("hono") as Hono;
      const handle = fetchHandler(server);
      const { fetch } = new App().all("/rpc/*", ({ req }) => handle(req.raw));
      return (loadPackage("@hono/node-server") as HonoServer).createAdaptorServer({ fetch });
    },
  ],
};

function express(name: string, prefix: string): Server {
  const load = loadPackage(name) as Express;
  const app = load();
  app.use(load.json());
  app.use(prefix, nodeListener(server));
  return createHttp(app);
}

const item = { id: 5, name: "item 5", tags: [] };

describe.skipIf(!isInstalled).each(Object.entries(mounts))("%s", (_name, [prefix, mount]) => {
  test("serves each verb, and paths and queries as they were sent", async () => {
    await using running = await listen(await mount());
    const ask = async (method: string, path: string, body?: unknown) => {
      const response = await fetch(`${running.url}${prefix}/rpc${path}`, {
        method,
        headers: body === undefined ? {} : { "Content-Type": "application/json" },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const text = await response.text();
      return [response.status, text === "" ? undefined : JSON.parse(text)];
    };
    expect(await ask("GET", "/items/5")).toEqual([200, { item }]);
    expect(await ask("HEAD", "/items/5")).toEqual([200, undefined]);
    expect(await ask("DELETE", "/items/5")).toEqual([200, {}]);
    expect(await ask("QUERY", "/items/search?text=a%20b")).toEqual([200, { found: ["a b", "undefined"] }]);
    expect(await ask("GET", "/items?limit=1&tags=a&tags=b%26c")).toMatchObject([
      200,
      { request: { limit: 1, tags: ["a", "b&c"] } },
    ]);
    expect(await ask("PUT", "/items/5", { id: 6, name: "é", tags: [] })).toEqual([
      200,
      { ...item, name: "é" },
    ]);
    expect(await ask("PATCH", "/items/5", {})).toMatchObject([200, { item: { name: "unchanged" } }]);
    expect(await ask("POST", "/items/reset", {})).toEqual([200, {}]);
    expect(await ask("GET", "/items/5/children/a%2Fb")).toEqual([200, { id: 5, childId: "a/b" }]);
    expect(await ask("GET", "/items/x")).toMatchObject([400, { code: -4 }]);
    expect(await ask("POST", "/items/5", {})).toMatchObject([405, { code: -3 }]);
    expect(await ask("POST", "/Items/GetItem", { id: 5 })).toMatchObject([404, { code: -2 }]);
    expect(await ask("POST", "/Items/RpcMethod", { id: 5 })).toEqual([200, { id: 5 }]);
  });
});
