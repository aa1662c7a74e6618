import type { ExchangeKind } from "../../../chain/networks/exchanges.ts";
import type { Hex } from "../../../chain/rpc/chain.ts";
import type { SwapTerms } from "../swap.ts";
import { encodeSwapRouterSwap } from "./swap-router.ts";
import { encodeSwapRouter02Swap } from "./swap-router-02.ts";
import { encodeV2Swap } from "./v2.ts";

/**
 * Encodes a transaction that buys exactly the requested amount for the user, for at most the maximal price, and refunds unspent
 * native coin.
 */
export function encodeSwap(terms: SwapTerms): Hex {
  return encoders[terms.plan.exchange.kind](terms);
}

const encoders = {
  v2: encodeV2Swap,
  swapRouter: encodeSwapRouterSwap,
  swapRouter02: encodeSwapRouter02Swap,
} satisfies Record<ExchangeKind, (terms: SwapTerms) => Hex>;
