import type { Context } from "koa";
import { RpcFailure } from "ridlkit-runtime/handler";
import { failureReply, type Reply } from "ridlkit-runtime/reply";

/** Returns the response for a failure outside of a call. */
export function failureResponse(failure: RpcFailure): Reply {
  const raised = RpcFailure.read(failure);
  if (raised === undefined) throw new Error("expected a failure");
  return failureReply(raised);
}

export function sendFailure(ctx: Context, webrpc: string, failure: RpcFailure): void {
  const { status, body, headers } = failureResponse(failure);
  ctx.status = status;
  ctx.set({ "Content-Type": "application/json", Webrpc: webrpc, ...headers });
  ctx.body = body;
}
