import type { RpcFailure } from "ridlkit-runtime/handler";
import { rpcError, type SchemaErrorName } from "../../generated/server.ts";
import { CallTooLong, DatabaseBusy, DatabaseFault } from "../base/storage/fault.ts";
import { ChainBusy } from "../chain/rpc/chain.ts";

/** Seconds after which a rejected caller may try again. One is enough: an overload ends as soon as its callers back off. */
export const retryAfterSeconds = "1";

/** The same for a statement that took too long. It would take too long again unless the database is less busy by then. */
const retryLongAfterSeconds = "10";

/** The failure for any call above the host's capacity. */
export function overloaded(): RpcFailure<"Overloaded"> {
  return rpcError.Overloaded({ headers: { "Retry-After": retryAfterSeconds } });
}

function tooLong({ message }: CallTooLong): RpcFailure<"Overloaded"> {
  return rpcError.Overloaded({
    headers: { "Retry-After": retryLongAfterSeconds },
    cause: message,
    expose: true,
  });
}

/**
 * Maps faults of the database and of chain nodes to the failures that every method may return: unavailable, or too busy. Handlers
 * need not catch them.
 */
export function dependencyFailure(thrown: unknown): RpcFailure<SchemaErrorName> | undefined {
  if (thrown instanceof DatabaseBusy || thrown instanceof ChainBusy) return overloaded();
  if (thrown instanceof CallTooLong) return tooLong(thrown);
  if (thrown instanceof DatabaseFault) return rpcError.QueryFailed({ cause: thrown });
  return undefined;
}
