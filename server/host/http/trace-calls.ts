import type { Middleware } from "koa";
import type { MethodInfo } from "../../../generated/runtime/v1/server.ts";
import type { Tracing } from "../operations/tracing.ts";

/** Each call is a span by the name of its method. Calls of no method share one name: a path is whatever somebody typed. */
export function traceCalls(tracing: Tracing, methodAt: (path: string) => MethodInfo | undefined): Middleware {
  return (ctx, next) => {
    const method = methodAt(ctx.path);
    const name = method === undefined ? "unknown method" : `${method.service}/${method.name}`;
    return tracing.run(name, ctx.req.headers, next);
  };
}
