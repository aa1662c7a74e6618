import type { RpcFailure } from "../../generated/runtime/v1/failure.ts";
import { rpcError } from "../../generated/server/index.ts";

/** Seconds after which a refused caller may try again. One: an overload is over as soon as its callers hold back. */
const retryAfterSeconds = "1";

/** What is past the host's capacity, wherever that is noticed. */
export function overloaded(): RpcFailure<"Overloaded"> {
  return rpcError.Overloaded({ headers: { "Retry-After": retryAfterSeconds } });
}
