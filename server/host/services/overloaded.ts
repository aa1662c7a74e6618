import type { RpcFailure } from "../../../generated/runtime/v1/server.ts";
import { rpcError } from "../../../generated/server/index.ts";
import type { CallTooLong } from "../../base/storage/fault.ts";
import type { NodesAtLimit } from "../../chain/rpc/chain.ts";

/** Seconds after which a rejected caller may try again. One is enough: an overload ends as soon as its callers back off. */
const retryAfterSeconds = "1";

/** The same for a statement that took too long. It would take too long again unless the database is less busy by then. */
const retryLongAfterSeconds = "10";

/** The failure for any call above the host's capacity. */
export function overloaded(): RpcFailure<"Overloaded"> {
  return rpcError.Overloaded({ headers: { "Retry-After": retryAfterSeconds } });
}

export function tooLong({ message }: CallTooLong): RpcFailure<"Overloaded"> {
  return rpcError.Overloaded({
    headers: { "Retry-After": retryLongAfterSeconds },
    cause: message,
    expose: true,
  });
}

export function nodesAtLimit({ message, retryAfterMs }: NodesAtLimit): RpcFailure<"Overloaded"> {
  const seconds =
    retryAfterMs === undefined ? retryAfterSeconds : String(Math.max(1, Math.ceil(retryAfterMs / 1_000)));
  return rpcError.Overloaded({ headers: { "Retry-After": seconds }, cause: message, expose: true });
}
