import type { IncomingMessage } from "node:http";
import type { Context, Middleware } from "koa";

/** Long enough for a UUID with a prefix. Excludes characters that could end a header or a log line. */
const requestId = /^[\w.:-]{1,128}$/;

/** Returns the caller's id for the call if it is safe in headers and logs. */
export function givenRequestId({ headers }: IncomingMessage): string | undefined {
  const given = headers["x-request-id"];
  return typeof given === "string" && requestId.test(given) ? given : undefined;
}

/** Echoes the caller's request id. The generated server adds an id to every failed call, even if the caller sent none. */
export function echoRequestId(): Middleware {
  return (ctx: Context, next) => {
    const given = givenRequestId(ctx.req);
    if (given !== undefined) ctx.res.setHeader("X-Request-Id", given);
    return next();
  };
}
