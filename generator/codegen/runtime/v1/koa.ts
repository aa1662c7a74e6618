/**
 * Serves an API as a Koa middleware: `app.use(koaMiddleware(server))`. It sets status, headers and body (JSON text) on
 * the context, so outer middlewares can read and change them. Streams and files are written to the response directly.
 */
import type { Context, Next } from "koa";
import { readBody } from "./body.ts";
import {
  bodyOf,
  endsConnection,
  headersToSend,
  isOpen,
  mountedPath,
  NodeTransport,
  sendOutgoing,
} from "./node-transport.ts";
import type { Reply } from "./reply.ts";
import type { AnyExchange, RpcServer } from "./server.ts";

/** Options of `koaMiddleware`. */
export interface KoaOptions {
  /**
   * Returns the path of a call, if the URL starts with a prefix of your own: `(ctx) => ctx.path.slice(prefix.length)`.
   */
  readonly path?: (ctx: Context) => string;
  /**
   * Who handles paths outside of the basepath: the next middleware, or this one with WebrpcBadRoute. Default "next".
   */
  readonly outside?: "next" | "refuse";
}

/** A Koa middleware. */
export type KoaMiddleware = (ctx: Context, next: Next) => Promise<unknown>;

/** Creates a middleware that serves the API. Unknown paths inside of the basepath get WebrpcBadRoute. */
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

/** Where Koa's body parsers store their result. */
type Parsed = { readonly body?: unknown };

/**
 * Uses one promise per call; an `async` function would create three. Rejects only on a bug in this file, for which Koa
 * sends a plain 500.
 */
function serve(server: RpcServer<Context>, exchange: AnyExchange, ctx: Context): Promise<void> {
  return new Promise((resolve, reject) => {
    const { req, res } = ctx;
    const send = (answer: Reply): void => {
      try {
        const reply = exchange.finish(answer, isOpen(res));
        if (reply?.outgoing !== undefined) sendDirectly(server, ctx, reply);
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
 * If a stream or a file were Koa's body, every disconnecting caller would be reported as an application error. So it is
 * sent directly, and changes that outer middlewares make afterwards have no effect.
 */
function sendDirectly(server: RpcServer<Context>, ctx: Context, reply: Reply): void {
  ctx.respond = false;
  const report = ctx.onerror;
  ctx.onerror = (error) => {
    if (!isDisconnect(error)) report.call(ctx, error);
  };
  sendOutgoing(ctx.res, reply, server.webrpc);
}

/** Whether a write failed because the caller has just disconnected. */
function isDisconnect(error: NodeJS.ErrnoException | null): boolean {
  return error?.code === "EPIPE" || error?.code === "ECONNRESET";
}

function setReply(server: RpcServer<Context>, { req, res, response }: Context, reply: Reply): void {
  const { status, body, headers } = reply;
  response.status = status;
  res.setHeader("Content-Type", "application/json");
  res.setHeader("Webrpc", server.webrpc);
  if (headers !== undefined) response.set(headersToSend(res, headers));
  if (endsConnection(req)) res.setHeader("Connection", "close");
  response.body = body;
}
