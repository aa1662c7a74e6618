import type { RpcFailure } from "../../generated/runtime/v1/failure.ts";
import type { HandlerContext } from "../../generated/runtime/v1/handler.ts";

/** A method that this host does not carry out yet. The README names them all. */
export function notBuilt(ctx: HandlerContext<unknown, "Unavailable">): RpcFailure<"Unavailable"> {
  return ctx.errors.Unavailable({ cause: `${ctx.method.name} is not built yet`, expose: true });
}
