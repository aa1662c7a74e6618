import type { IncomingMessage } from "node:http";
import type { Context, Middleware } from "koa";

/** Long enough for a UUID with a prefix. Letters that could end a header or a line of a log are none of it. */
const requestId = /^[\w.:-]{1,128}$/;

/** The id that the caller gave the call, if it is fit for headers and logs. */
export function givenRequestId({ headers }: IncomingMessage): string | undefined {
  const given = headers["x-request-id"];
  return typeof given === "string" && requestId.test(given) ? given : undefined;
}

/** Sends an id back that the caller gave. Failures carry theirs anyway. */
export function echoRequestId(): Middleware {
  return (ctx: Context, next) => {
    const given = givenRequestId(ctx.req);
    if (given !== undefined) ctx.res.setHeader("X-Request-Id", given);
    return next();
  };
}
