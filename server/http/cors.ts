import type { Middleware } from "koa";

/** What the official browser clients send. */
const allowedHeaders = "Content-Type, Webrpc, X-Access-Key, Authorization, X-Request-Id";
const exposedHeaders = "Webrpc, X-Request-Id, Retry-After";

/** How long a browser may remember a preflight, in seconds: a day, since each costs a request. */
const preflightMaxAgeSeconds = 86_400;

/**
 * Lets pages of any origin call the API: its credentials are headers that a page must hold itself, never cookies. Errors carry the
 * headers too, or a page could not read them.
 */
export function cors(): Middleware {
  return async (ctx, next) => {
    ctx.set("Access-Control-Allow-Origin", "*");
    ctx.set("Access-Control-Expose-Headers", exposedHeaders);
    const isPreflight =
      ctx.method === "OPTIONS" && ctx.get("Origin") !== "" && ctx.get("Access-Control-Request-Method") !== "";
    if (!isPreflight) return next();
    ctx.set("Access-Control-Allow-Methods", "POST");
    ctx.set("Access-Control-Allow-Headers", allowedHeaders);
    ctx.set("Access-Control-Max-Age", String(preflightMaxAgeSeconds));
    ctx.status = 204;
  };
}
