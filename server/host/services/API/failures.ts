import type { ErrorMakers, RpcFailure } from "ridlkit-runtime/handler";
import { ChainFailure, NoNodes } from "../../../chain/rpc/chain.ts";
import { NoExchanges, SwapRejection } from "../../../wallets/swaps/swap.ts";

export type ChainErrorName = "Unavailable" | "QueryFailed";

/** Maps the reasons why a chain could not be read to errors of the contract. Rethrows everything else. */
export function chainFailure(errors: ErrorMakers<ChainErrorName>, err: unknown): RpcFailure<ChainErrorName> {
  if (err instanceof NoNodes) return errors.Unavailable({ cause: err.message, expose: true });
  if (err instanceof ChainFailure) return errors.QueryFailed({ cause: err.message, expose: true });
  throw err;
}

type SwapErrorName = "InvalidArgument" | ChainErrorName;

/** Maps the reasons why a swap failed to errors of the contract. Rethrows everything else. */
export function swapFailure(errors: ErrorMakers<SwapErrorName>, err: unknown): RpcFailure<SwapErrorName> {
  if (err instanceof SwapRejection) return errors.InvalidArgument({ cause: err.message, expose: true });
  if (err instanceof NoExchanges) return errors.Unavailable({ cause: err.message, expose: true });
  return chainFailure(errors, err);
}
