/** Ways to mount a server in frameworks. */
import { createServer as createHttp, type IncomingMessage, type Server } from "node:http";
import Koa, { type Middleware } from "koa";
import { expect } from "vitest";
import { fetchHandler } from "../../generator/runtime/src/fetch.ts";
import { koaMiddleware } from "../../generator/runtime/src/koa.ts";
import { nodeListener } from "../../generator/runtime/src/node.ts";
import type { RpcServer } from "../../generator/runtime/src/server.ts";
import { listen, type RunningServer } from "../support/adapters.ts";
import { loadPackage } from "./packages.ts";

type Next = () => unknown;

interface Express {
  (): Parameters<typeof createHttp>[1] & { use(...parts: readonly unknown[]): void };
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
  addHook(
    name: "onRequest",
    run: (request: { readonly raw: IncomingMessage }, reply: unknown, done: Next) => void,
  ): void;
  addHook(name: "onError", run: (request: unknown, reply: unknown, error: Error, done: Next) => void): void;
  register(plugin: (scope: FastifyScope) => Promise<void>): void;
  ready(): Promise<void>;
  readonly server: Server;
};

interface HonoContext {
  readonly req: { readonly raw: Request };
}
interface HonoApp {
  use(run: (context: HonoContext, next: () => Promise<void>) => unknown): HonoApp;
  onError(report: (error: Error) => Response): HonoApp;
  all(path: string, handle: (context: HonoContext) => unknown): HonoApp;
  readonly fetch: (request: Request) => Promise<Response>;
}
interface HonoServer {
  createAdaptorServer(options: { readonly fetch: (request: Request) => Promise<Response> }): Server;
}

/** What frameworks run before the API. `span` is the header `X-Span` of the request. */
type Before = (span: string, next: Next) => unknown;

interface Parts {
  readonly before: Before;
  /** Gets each error that the framework sees. */
  readonly report: (error: unknown) => void;
}

export interface Mount {
  readonly prefix: string;
  /** Whether a middleware reads bodies before the API. */
  readonly parsesBodies?: true;
  readonly mount: (server: RpcServer, parts: Parts) => Server | Promise<Server>;
}

/** Each mounts a server below a prefix. */
export const mounts: Readonly<Record<string, Mount>> = {
  "Express 5": { prefix: "", mount: (server, parts) => express(server, parts, "express") },
  "Express 4": { prefix: "", mount: (server, parts) => express(server, parts, "express-4") },
  "Express 5 behind a parser of bodies": {
    prefix: "/api",
    parsesBodies: true,
    mount: (server, parts) => express(server, parts, "express", "/api"),
  },
  "Express 4 behind a parser of bodies": {
    prefix: "/api",
    parsesBodies: true,
    mount: (server, parts) => express(server, parts, "express-4", "/api"),
  },
  "Express below the basepath": {
    prefix: "/api",
    parsesBodies: true,
    mount: (server, parts) => express(server, parts, "express", `/api${server.basepath.replace(/[/]$/, "")}`),
  },
  Koa: { prefix: "", mount: (server, parts) => koa(parts, koaMiddleware(server)) },
  "koa-mount": {
    prefix: "/api",
    mount: (server, parts) => {
      const mounted = loadPackage("koa-mount") as (path: string, middleware: Middleware) => Middleware;
      return koa(parts, mounted("/api", koaMiddleware(server)));
    },
  },
  "koa-compress": {
    prefix: "",
    mount: (server, parts) =>
      koa(parts, (loadPackage("koa-compress") as () => Middleware)(), koaMiddleware(server)),
  },
  Fastify: {
    prefix: "",
    async mount(server, { before, report }) {
      const app = (loadPackage("fastify") as Fastify)({});
      app.addHook("onRequest", ({ raw }, _reply, done) => void before(`${raw.headers["x-span"]}`, done));
      app.addHook("onError", (_request, _reply, error, done) => {
        report(error);
        done();
      });
      // Fastify's own QUERY needs a body.
      app.addHttpMethod("QUERY", { overrideExisting: true });
      const listener = nodeListener(server);
      app.register(async (api) => {
        api.removeAllContentTypeParsers();
        api.addContentTypeParser("*", (_request, _body, done) => done());
        api.all(`${server.basepath}*`, (request, reply) => {
          reply.hijack();
          listener(request.raw as never, reply.raw as never);
        });
      });
      await app.ready();
      return app.server;
    },
  },
  Hono: {
    prefix: "",
    mount(server, { before, report }) {
      const { Hono: App } = loadPackage("hono") as { readonly Hono: new () => HonoApp };
      const handle = fetchHandler(server);
      const { fetch } = new App()
        .onError((error) => {
          report(error);
          return new Response(null, { status: 500 });
        })
        .use(({ req }, next) => before(`${req.raw.headers.get("x-span")}`, next))
        .all(`${server.basepath}*`, ({ req }) => handle(req.raw));
      return (loadPackage("@hono/node-server") as HonoServer).createAdaptorServer({ fetch });
    },
  },
};

function koa({ before, report }: Parts, ...middlewares: readonly Middleware[]): Server {
  const app = new Koa().on("error", report).use((ctx, next) => before(ctx.get("x-span"), next));
  for (const each of middlewares) app.use(each);
  return createHttp(app.callback());
}

function express(server: RpcServer, { before, report }: Parts, name: string, below?: string): Server {
  const load = loadPackage(name) as Express;
  const app = load();
  app.use((req: IncomingMessage, _res: unknown, next: Next) => before(`${req.headers["x-span"]}`, next));
  if (below !== undefined) app.use(load.json());
  app.use(below ?? "/", nodeListener(server));
  // Four parameters: Express calls it for errors.
  app.use((error: unknown, _req: unknown, _res: unknown, next: (error: unknown) => void) => {
    report(error);
    next(error);
  });
  return createHttp(app);
}

/** Serves a mounted API on a real socket. Closing it fails if the framework has seen an error. */
export async function serveMounted(
  { prefix, mount }: Mount,
  server: RpcServer,
  before: Before = (_span, next) => next(),
): Promise<RunningServer> {
  const errors: unknown[] = [];
  const running = await listen(await mount(server, { before, report: (error) => errors.push(error) }));
  return {
    ...running,
    url: `${running.url}${prefix}`,
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]();
      expect(errors).toEqual([]);
    },
  };
}
