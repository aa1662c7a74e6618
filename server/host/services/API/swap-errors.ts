import type { ErrorMakers, RpcFailure } from "../../../../generated/runtime/v1/server.ts";
import { NoExchanges, SwapRejection } from "../../../wallets/swaps/swap-rejection.ts";
import { type ChainErrorName, chainFailure } from "./chain-errors.ts";

type SwapErrorName = "InvalidArgument" | ChainErrorName;

/** Maps the reasons why a swap failed to errors of the contract. Rethrows everything else. */
export function swapFailure(errors: ErrorMakers<SwapErrorName>, err: unknown): RpcFailure<SwapErrorName> {
  if (err instanceof SwapRejection) return errors.InvalidArgument({ cause: err.message, expose: true });
  if (err instanceof NoExchanges) return errors.Unavailable({ cause: err.message, expose: true });
  return chainFailure(errors, err);
}
