import type { Context, Next } from "koa";
import {
  bodyOf,
  endsConnection,
  isOpen,
  mountedPath,
  NodeTransport,
  readBody,
  sendFile,
  sendStream,
} from "./node-http.ts";
import type { AnyExchange, Reply, RpcServer } from "./server.ts";

/*
 * Serves an API as one Koa middleware: `app.use(koaMiddleware(server))`. The response is set on the context as any middleware sets
 * it, so outer middlewares can read and change its status, headers and body, which is JSON text. Only streams and files are sent at
 * once.
 */

export interface KoaOptions {
  /** The path of a call, if a part of the address is the host's own: `(ctx) => ctx.path.slice(prefix.length)`. */
  readonly path?: (ctx: Context) => string;
  /** Who answers paths outside of the basepath: the next middleware, the default, or this one, with WebrpcBadRoute. */
  readonly outside?: "next" | "refuse";
}

export type KoaMiddleware = (ctx: Context, next: Next) => Promise<unknown>;

/** Unknown paths inside of the basepath are WebrpcBadRoute. */
export function koaMiddleware(
  server: RpcServer<Context>,
  { path, outside = "next" }: KoaOptions = {},
): KoaMiddleware {
  return (ctx, next) => {
    const { req, res } = ctx;
    const transport = new NodeTransport(ctx, req, res);
    const called =
      path === undefined ? mountedPath(req.url ?? "/", ctx.originalUrl, server.basepath) : path(ctx);
    const exchange =
      outside === "refuse" ? server.openAny(called, transport) : server.open(called, transport);
    return exchange === undefined ? next() : serve(server, exchange, ctx);
  };
}

/** Where the body parsers of Koa leave their result. */
type Parsed = { readonly body?: unknown };

/** One promise a call: an `async` function would make three. Rejects only by a fault of ours, which Koa answers with a bare 500. */
function serve(server: RpcServer<Context>, exchange: AnyExchange, ctx: Context): Promise<void> {
  return new Promise((resolve, reject) => {
    const { req, res } = ctx;
    const send = (answer: Reply): void => {
      try {
        const reply = exchange.finish(answer, isOpen(res));
        if (reply?.stream !== undefined || reply?.file !== undefined) sendLasting(server, ctx, reply);
        else if (reply !== undefined) setReply(server, ctx, reply);
        resolve();
      } catch (bug) {
        reject(bug);
      }
    };
    const read = (refusal: Reply | undefined): void => {
      if (refusal !== undefined) send(refusal);
      else if (exchange.takesFiles) exchange.receive(bodyOf(req), send);
      else
        readBody(
          req,
          server.limits.bodyMaxBytes,
          exchange,
          (body) => exchange.answer(body, send),
          ctx.request as Parsed,
        );
    };
    const refusal = exchange.admit(req.method);
    if (refusal instanceof Promise) refusal.then(read);
    else read(refusal);
  });
}

/**
 * As a body of Koa's, every caller who leaves would be an error of the application. So a stream or file is sent at once, and what the
 * middlewares around set after it comes too late.
 */
function sendLasting(server: RpcServer<Context>, ctx: Context, reply: Reply): void {
  ctx.respond = false;
  const report = ctx.onerror;
  ctx.onerror = (error) => {
    if (!isLeaving(error)) report.call(ctx, error);
  };
  const send = reply.file === undefined ? sendStream : sendFile;
  send(ctx.res, reply, server.webrpc);
}

/** What is written when its reader has just gone. */
function isLeaving(error: NodeJS.ErrnoException | null): boolean {
  return error?.code === "EPIPE" || error?.code === "ECONNRESET";
}

function setReply(server: RpcServer<Context>, { req, res, response }: Context, reply: Reply): void {
  const { status, body, headers } = reply;
  response.status = status;
  res.setHeader("Content-Type", "application/json");
  res.setHeader("Webrpc", server.webrpc);
  if (headers !== undefined) response.set(headers);
  if (endsConnection(req)) res.setHeader("Connection", "close");
  response.body = body;
}
