import type { Middleware } from "koa";

/** What the official browser clients send. */
const allowedHeaders = "Content-Type, Webrpc, X-Access-Key, Authorization, X-Request-Id";
const exposedHeaders = "Webrpc, X-Request-Id, Retry-After, X-RateLimit-Scope";

/** How long a browser may remember a preflight, in seconds: a day, since each costs a request. */
const preflightMaxAgeSeconds = 86_400;

/** On every answer, also on those that no middleware sees: a page cannot read an error without them. */
export const corsHeaders: Readonly<Record<string, string>> = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": exposedHeaders,
};

/**
 * Lets pages of any origin call the API: its credentials are headers that a page must hold itself, never cookies. A preflight to
 * a path that names a method is answered here; one to any other path is left to be refused.
 */
export function cors(hasMethod: (path: string) => boolean): Middleware {
  return (ctx, next) => {
    ctx.res.setHeader("Access-Control-Allow-Origin", "*");
    ctx.res.setHeader("Access-Control-Expose-Headers", exposedHeaders);
    if (ctx.method !== "OPTIONS" || !isPreflight(ctx.req.headers) || !hasMethod(ctx.path)) return next();
    ctx.set("Access-Control-Allow-Methods", "POST");
    ctx.set("Access-Control-Allow-Headers", allowedHeaders);
    ctx.set("Access-Control-Max-Age", String(preflightMaxAgeSeconds));
    ctx.status = 204;
    return undefined;
  };
}

function isPreflight(headers: NodeJS.Dict<string | string[]>): boolean {
  return headers["origin"] !== undefined && headers["access-control-request-method"] !== undefined;
}
