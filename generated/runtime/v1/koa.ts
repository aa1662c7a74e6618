/**
 * Serves an API as one Koa middleware: `app.use(koaMiddleware(server))`. The answer is set on the context as any middleware sets
 * it, so that those around it see and may change its status, headers and body.
 */
import type { Context, Next } from "koa";
import { readText } from "./body.ts";
import type { Reply } from "./errors-wire.ts";
import type { ParsedBody } from "./exchange.ts";
import type { BodyFault } from "./json.ts";
import { NodeTransport, parsedBefore, pathOf } from "./node-transport.ts";
import type { AnyExchange, RpcServer } from "./server.ts";

export interface KoaOptions {
  /** The path of a call, if a part of the address is the host's own: `(ctx) => ctx.path.slice(prefix.length)`. */
  readonly path?: (ctx: Context) => string;
}

export type KoaMiddleware = (ctx: Context, next: Next) => Promise<unknown>;

/** Paths outside of the basepath go to the next middleware; unknown ones inside are WebrpcBadRoute. */
export function koaMiddleware(server: RpcServer<Context>, { path }: KoaOptions = {}): KoaMiddleware {
  return (ctx, next) => {
    const { req, res } = ctx;
    const transport = new NodeTransport(ctx, req, res);
    const exchange = server.open(path === undefined ? pathOf(req.url ?? "/") : path(ctx), transport);
    return exchange === undefined ? next() : serve(server, exchange, ctx);
  };
}

async function serve(server: RpcServer<Context>, exchange: AnyExchange, ctx: Context): Promise<void> {
  let answer = exchange.admit(ctx.req.method);
  if (answer instanceof Promise) answer = await answer;
  answer ??= await exchange.answer(await readBody(ctx, server.limits.bodyMaxBytes));
  const reply = exchange.finish(answer, !ctx.res.destroyed);
  if (reply !== undefined) setReply(server, ctx, reply);
}

function readBody(ctx: Context, maxBytes: number): Promise<string | BodyFault> | ParsedBody {
  const { req } = ctx;
  const before = parsedBefore(req, (ctx.request as { readonly body?: unknown }).body);
  return before ?? new Promise((resolve) => readText(req, maxBytes, resolve));
}

function setReply(server: RpcServer<Context>, ctx: Context, { status, body, headers }: Reply): void {
  const { req, response } = ctx;
  response.status = status;
  response.set("Content-Type", "application/json");
  response.set("Webrpc", server.webrpc);
  if (headers !== undefined) response.set(headers);
  // What was not read of a body would be taken for the next request.
  if (!req.complete) response.set("Connection", "close");
  response.body = body;
}
