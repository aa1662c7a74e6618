/** Ways to mount a server in frameworks. */
import { createServer as createHttp, type RequestListener, type Server } from "node:http";
import Koa, { type Middleware } from "koa";
import { fetchHandler } from "../../generator/codegen/runtime/v1/fetch.ts";
import { koaMiddleware } from "../../generator/codegen/runtime/v1/koa.ts";
import { nodeListener } from "../../generator/codegen/runtime/v1/node-http.ts";
import type { RpcServer } from "../../generator/codegen/runtime/v1/server.ts";
import { loadPackage } from "./packages.ts";

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

type Mount = (server: RpcServer) => Server | Promise<Server>;

/** Each mounts a server below a prefix. */
export const mounts: Readonly<Record<string, readonly [prefix: string, mount: Mount]>> = {
  "Express 5": ["/api", (server) => express(server, "express", "/api")],
  "Express 4": ["/api", (server) => express(server, "express-4", "/api")],
  "Express below the basepath": ["/api", (server) => express(server, "express", "/api/rpc")],
  "koa-mount": [
    "/api",
    (server) => {
      const mount = loadPackage("koa-mount") as (path: string, middleware: Middleware) => Middleware;
      return createHttp(new Koa().use(mount("/api", koaMiddleware(server))).callback());
    },
  ],
  Fastify: [
    "",
    async (server) => {
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
    (server) => {
      const { Hono: App } = loadPackage("hono") as Hono;
      const handle = fetchHandler(server);
      const { fetch } = new App().all("/rpc/*", ({ req }) => handle(req.raw));
      return (loadPackage("@hono/node-server") as HonoServer).createAdaptorServer({ fetch });
    },
  ],
};

function express(server: RpcServer, name: string, prefix: string): Server {
  const load = loadPackage(name) as Express;
  const app = load();
  app.use(load.json());
  app.use(prefix, nodeListener(server));
  return createHttp(app);
}
