import type { RpcFailure } from "ridlkit-runtime/handler";
import { rpcError, type SchemaErrorName } from "../../generated/server.ts";
import { NotServed, RequestRejection } from "../base/request-rejection.ts";
import {
  CallTooLong,
  DatabaseBusy,
  DatabaseFault,
  databaseFaultText,
  OutcomeUnknown,
} from "../base/storage/fault.ts";
import { CallReverted, ChainBusy, ChainFailure, ChainUnavailable, NoNodes } from "../chain/rpc/chain.ts";

/** Seconds after which a rejected caller may try again. One is enough: an overload ends as soon as its callers back off. */
export const retryAfterSeconds = "1";

/** The same for a statement that took too long. It would take too long again unless the database is less busy by then. */
const retryLongAfterSeconds = "10";

/** The failure for any call above the host's capacity. `cause` is only logged. */
export function overloaded(cause?: string): RpcFailure<"Overloaded"> {
  return rpcError.Overloaded({ headers: { "Retry-After": retryAfterSeconds }, cause });
}

/** Clients, proxies and monitors understand HTTP 503 as temporary, unlike the HTTP 400 of QueryFailed. */
function unavailable(cause: string, retryAfter: string): RpcFailure<"Overloaded"> {
  return rpcError.Overloaded({ headers: { "Retry-After": retryAfter }, cause, expose: true });
}

/**
 * Maps faults of the database and of chain nodes, and rejected requests, to failures of the contract. Handlers and guards need not catch them.
 */
export function dependencyFailure(thrown: unknown): RpcFailure<SchemaErrorName> | undefined {
  if (thrown instanceof DatabaseBusy || thrown instanceof ChainBusy) return overloaded(thrown.message);
  if (thrown instanceof CallTooLong) return unavailable(thrown.message, retryLongAfterSeconds);
  // Without Retry-After: a repeated change could be made twice.
  if (thrown instanceof OutcomeUnknown)
    return rpcError.Overloaded({
      cause: `${databaseFaultText(thrown)}; the change may have been made`,
      expose: true,
    });
  if (thrown instanceof DatabaseFault) return unavailable(databaseFaultText(thrown), retryAfterSeconds);
  if (thrown instanceof NoNodes) return rpcError.Unavailable({ cause: thrown.message, expose: true });
  if (thrown instanceof ChainUnavailable) return unavailable(thrown.message, retryAfterSeconds);
  if (thrown instanceof ChainFailure || thrown instanceof CallReverted)
    return rpcError.QueryFailed({ cause: thrown.message, expose: true });
  return rejectionFailure(thrown);
}

/** Maps requests that cannot be served to failures. */
export function rejectionFailure(thrown: unknown): RpcFailure<"InvalidArgument" | "Unavailable"> | undefined {
  if (thrown instanceof RequestRejection)
    return rpcError.InvalidArgument({ cause: thrown.message, expose: true });
  if (thrown instanceof NotServed) return rpcError.Unavailable({ cause: thrown.message, expose: true });
  return undefined;
}
