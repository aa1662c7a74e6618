import type { Exchange } from "../../../../server/chain/networks/exchanges.ts";
import type { Hex } from "../../../../server/chain/rpc/chain.ts";
import type { Route } from "../../../../server/wallets/swaps/swap.ts";
import type { LensResult } from "../../../../server/wallets/swaps/viem/lens.ts";

export const exchange: Exchange = { kind: "swapRouter02", router: `0x${"3".repeat(40)}`, fees: [3_000] };

/** A route through this many pools. */
export function routeOf(price: bigint, pools = 1, more: Partial<Route> = {}): Route {
  const tokens = Array.from({ length: pools + 1 }, (_, index): Hex => `0x${String(index).repeat(40)}`);
  const fees = tokens.slice(1).map(() => 3_000);
  return { exchange, tokens, fees, amount: 1_000_000n, price, probe: price / 1_000n, ...more };
}

export function lensResult(more: Partial<LensResult>): LensResult {
  return {
    route: undefined,
    split: undefined,
    sell: "exact",
    buy: "exact",
    balance: 0n,
    allowance: 1n,
    timestamp: 0n,
    unexpectedRouters: [],
    ...more,
  };
}
