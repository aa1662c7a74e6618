import type { Context, Next } from "koa";
import {
  type BodyHolder,
  endsConnection,
  formOf,
  headersToSend,
  isOpen,
  LargeBody,
  mountedPath,
  NodeTransport,
  type Receiver,
  readBody,
  sendOutgoing,
} from "./node.ts";
import { UnreadResponses, unreadMinBytes } from "./options.ts";
import type { Reply } from "./reply.ts";
import type { AnyExchange, RpcServer } from "./server.ts";

/*
 * Serves an API as a Koa middleware: `app.use(koaMiddleware(server))`. It sets status, headers and body (JSON text) on
 * the context, so outer middlewares can read and change them. Streams and files are written to the response directly.
 */

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
  /** Counts what callers have not read, if several middlewares share the limits. Default: the limits of the server. */
  readonly unread?: UnreadResponses;
}

/** A Koa middleware. */
export type KoaMiddleware = (ctx: Context, next: Next) => Promise<unknown>;

/** Creates a middleware that serves the API. Unknown paths inside of the basepath get WebrpcBadRoute. */
export function koaMiddleware(
  server: RpcServer<Context>,
  { path, outside = "next", unread = new UnreadResponses(server.limits) }: KoaOptions = {},
): KoaMiddleware {
  return (ctx, next) => {
    const { req, res } = ctx;
    const transport = new NodeTransport(ctx, req, res, (isLarge) => unread.isFull(isLarge, () => ctx.ip));
    const called =
      path === undefined ? mountedPath(req.url ?? "/", ctx.originalUrl, server.basepath) : path(ctx);
    const exchange =
      outside === "refuse" ? server.openAny(called, transport) : server.open(called, transport);
    return exchange === undefined ? next() : serve(server, exchange, ctx, unread);
  };
}

/** Where body parsers of Koa store their result, and the host of a Koa app. */
function holdersOf({ request, req }: Context): readonly BodyHolder[] {
  return [request as BodyHolder, req as BodyHolder];
}

/**
 * Uses one promise per call; an `async` function would create three. Rejects only on a bug in this file, for which Koa
 * sends a plain 500.
 */
function serve(
  server: RpcServer<Context>,
  exchange: AnyExchange,
  ctx: Context,
  unread: UnreadResponses,
): Promise<void> {
  ignoreDisconnects(ctx);
  return new Promise((resolve, reject) => {
    const { req, res } = ctx;
    const send = (answer: Reply): void => {
      try {
        const reply = exchange.finish(answer, isOpen(res));
        if (reply?.outgoing !== undefined) sendDirectly(server, ctx, reply, unread);
        else if (reply !== undefined) setReply(server, ctx, reply, unread);
        resolve();
      } catch (bug) {
        reject(bug);
      }
    };
    const read = (refusal: Reply | undefined): void => {
      if (refusal !== undefined) send(refusal);
      else if (exchange.takesFiles) exchange.receive(formOf(req, holdersOf(ctx)), send);
      else
        readBody(
          req,
          server.limits.bodyMaxBytes,
          exchange,
          (body) => exchange.answer(body, send),
          holdersOf(ctx),
        );
    };
    const refusal = exchange.admit(req.method);
    if (refusal instanceof Promise) refusal.then(read);
    else read(refusal);
  });
}

/** Marks the calls of an API. */
const isCall = Symbol("call of an API");

type MaybeCall = Context & { [isCall]?: true };

/** Prototypes of contexts that ignore disconnects: one for each app. */
const quietPrototypes = new WeakSet<object>();

/**
 * Koa reports the error of a connection as one of the application. A caller who leaves is none. Changes the prototype,
 * because an `onerror` of each context would double the CPU time of a small call.
 */
function ignoreDisconnects(ctx: MaybeCall): void {
  ctx[isCall] = true;
  const prototype: Context = Object.getPrototypeOf(ctx);
  if (quietPrototypes.has(prototype)) return;
  quietPrototypes.add(prototype);
  const report = prototype.onerror;
  prototype.onerror = function (this: MaybeCall, error) {
    if (error === null || !this[isCall] || error !== this.req.socket.errored) report.call(this, error);
  };
}

/**
 * If a stream or a file were Koa's body, every disconnecting caller would be reported as an application error. So it is
 * sent directly, and changes that outer middlewares make afterwards have no effect.
 */
function sendDirectly(server: RpcServer<Context>, ctx: Context, reply: Reply, unread: UnreadResponses): void {
  ctx.respond = false;
  const report = ctx.onerror;
  ctx.onerror = (error) => {
    if (!isDisconnect(error)) report.call(ctx, error);
  };
  sendOutgoing(receiverOf(ctx), reply, server.webrpc, unread);
}

/** Whether a write failed because the caller has just disconnected. */
function isDisconnect(error: NodeJS.ErrnoException | null): boolean {
  return error?.code === "EPIPE" || error?.code === "ECONNRESET";
}

function receiverOf({ req, res, ip }: Context): Receiver {
  return { req, res, address: ip };
}

function setReply(server: RpcServer<Context>, ctx: Context, reply: Reply, unread: UnreadResponses): void {
  const { req, res, response } = ctx;
  const { status, body, headers } = reply;
  response.status = status;
  res.setHeader("Content-Type", "application/json");
  res.setHeader("Webrpc", server.webrpc);
  if (headers !== undefined) response.set(headersToSend(res, headers));
  if (endsConnection(req)) res.setHeader("Connection", "close");
  response.body = body;
  if (body.length < unreadMinBytes) return;
  const large = new LargeBody(unread, receiverOf(ctx), body, () => {
    response.body = "";
  });
  endInParts(ctx, large);
}

/** Koa ends the response with the text that middlewares have seen. */
function endInParts({ res, response }: Context, large: LargeBody): void {
  const end = res.end.bind(res) as (body?: unknown, ...rest: unknown[]) => typeof res;
  res.end = ((body?: unknown, ...rest: unknown[]) => {
    res.end = end as typeof res.end;
    if (typeof body !== "string") return end(body, ...rest);
    large.end(body);
    // The head has been sent, so that its Content-Length stays.
    response.body = "";
    return res;
  }) as typeof res.end;
}
