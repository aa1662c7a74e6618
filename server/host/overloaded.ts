import type { RpcFailure } from "ridlkit-runtime/handler";
import { rpcError } from "../../generated/server.ts";
import type { CallTooLong } from "../base/storage/fault.ts";

/** Seconds after which a rejected caller may try again. One is enough: an overload ends as soon as its callers back off. */
export const retryAfterSeconds = "1";

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
