import type { ErrorMakers, RpcFailure } from "../../../../generated/runtime/v1/server.ts";
import { ChainFailure, NoNodes } from "../../../chain/rpc/chain.ts";
import { NoExchanges, SwapRejection } from "../../../wallets/swaps/swap-rejection.ts";

type SwapErrorName = "InvalidArgument" | "Unavailable" | "QueryFailed";

/** Maps the reasons why a swap failed to errors of the contract. Rethrows everything else. */
export function swapFailure(errors: ErrorMakers<SwapErrorName>, err: unknown): RpcFailure<SwapErrorName> {
  if (err instanceof SwapRejection) return errors.InvalidArgument({ cause: err.message, expose: true });
  if (err instanceof NoExchanges || err instanceof NoNodes)
    return errors.Unavailable({ cause: err.message, expose: true });
  if (err instanceof ChainFailure) return errors.QueryFailed({ cause: err.message, expose: true });
  throw err;
}
