import type { Middleware } from "koa";
import type { MethodInfo } from "../../../generated/runtime/v1/server.ts";
import type { Tracing } from "../observability/tracing.ts";

/**
 * Runs each call in a span named after its method. Calls of unknown methods share one name, because their paths are arbitrary
 * text.
 */
export function traceCalls(tracing: Tracing, methodAt: (path: string) => MethodInfo | undefined): Middleware {
  return (ctx, next) => {
    const method = methodAt(ctx.path);
    const name = method === undefined ? "unknown method" : `${method.service}/${method.name}`;
    return tracing.run(name, ctx.req.headers, next);
  };
}
