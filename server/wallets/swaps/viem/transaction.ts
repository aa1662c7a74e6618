import type { ExchangeKind } from "../../../chain/networks/exchanges.ts";
import type { Hex } from "../../../chain/rpc/chain.ts";
import type { Terms } from "../swap.ts";
import { writeSwapRouter } from "./swap-router.ts";
import { writeSwapRouter02 } from "./swap-router-02.ts";
import { writeV2 } from "./v2.ts";

/** Call data that buys exactly the amount for the user, for at most the largest price, and gives back what is left of a coin. */
export function writeTransaction(terms: Terms): Hex {
  return writers[terms.route.exchange.kind](terms);
}

const writers = {
  v2: writeV2,
  swapRouter: writeSwapRouter,
  swapRouter02: writeSwapRouter02,
} satisfies Record<ExchangeKind, (terms: Terms) => Hex>;
