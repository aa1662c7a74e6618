import type { RpcFailure } from "../../../generated/runtime/v1/server.ts";
import { rpcError } from "../../../generated/server/index.ts";
import type { CallTooLong } from "../../base/storage/fault.ts";

/** Seconds after which a refused caller may try again. One: an overload is over as soon as its callers hold back. */
const retryAfterSeconds = "1";

/** The same for a statement that took too long. It would again, unless the database has less to do by then. */
const retryLongAfterSeconds = "10";

/** What is past the host's capacity, wherever that is noticed. */
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
