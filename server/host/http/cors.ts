import type { Middleware } from "koa";

const allowedHeaders =
  "Content-Type, Webrpc, X-Access-Key, Authorization, X-Request-Id, If-None-Match, Idempotency-Key";
const exposedHeaders = "Webrpc, X-Request-Id, Retry-After, X-RateLimit-Scope, ETag, Stream-Position";

/** How long a browser may cache a preflight, in seconds: a day, since each one costs a request. */
const preflightMaxAgeSeconds = 86_400;

/** Sent with every response, including those that bypass the middleware: without these headers a page cannot read an error. */
export const corsHeaders: Readonly<Record<string, string>> = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": exposedHeaders,
};

/**
 * Lets pages of any origin call the API. This is safe because credentials are headers that a page must hold itself, never
 * cookies. Responds to preflights for the path of a method; preflights for other paths are rejected later.
 */
export function cors(hasMethod: (path: string) => boolean): Middleware {
  return (ctx, next) => {
    ctx.res.setHeader("Access-Control-Allow-Origin", "*");
    ctx.res.setHeader("Access-Control-Expose-Headers", exposedHeaders);
    if (ctx.method !== "OPTIONS" || !isPreflight(ctx.req.headers) || !hasMethod(ctx.path)) return next();
    ctx.set("Access-Control-Allow-Methods", "POST, GET, QUERY");
    ctx.set("Access-Control-Allow-Headers", allowedHeaders);
    ctx.set("Access-Control-Max-Age", String(preflightMaxAgeSeconds));
    ctx.status = 204;
    return undefined;
  };
}

function isPreflight(headers: NodeJS.Dict<string | string[]>): boolean {
  return headers["origin"] !== undefined && headers["access-control-request-method"] !== undefined;
}
