import type { Exchange } from "../../chain/networks/exchanges.ts";
import type { Hex } from "../../chain/rpc/chain.ts";

/** Exactly this is to be bought. Both currencies are lower case; `nativeCoin` is the chain's own. */
export interface SwapAsk {
  readonly sell: Hex;
  readonly buy: Hex;
  /** In the smallest unit of the bought currency. */
  readonly amount: bigint;
  /** 0 to 50, with any fraction. */
  readonly slippagePercentage: number;
}

/** The cheapest way there is. Amounts are in the smallest unit of the sold currency. */
export interface SwapPrice {
  readonly price: bigint;
  readonly maxPrice: bigint;
  /** Coin to send along. */
  readonly value: bigint;
}

export interface SwapQuote extends SwapPrice {
  /** What the user has of the sold currency. */
  readonly balance: bigint;
  readonly to: Hex;
  readonly data: Hex;
  /** Call data for the sold token, before; undefined if there is nothing to approve. */
  readonly approval: Hex | undefined;
}

/** A way from the sold currency to the bought one, over pools of one exchange. */
export interface Route {
  readonly exchange: Exchange;
  /** The wrapped coin stands for the coin. */
  readonly tokens: readonly Hex[];
  /** Of version 3, one for each hop. */
  readonly fees: readonly number[];
  readonly price: bigint;
}

/** What a transaction must hold to. */
export interface Terms {
  readonly route: Route;
  readonly ask: SwapAsk;
  readonly maxPrice: bigint;
  readonly user: Hex;
  /** Seconds since 1970. */
  readonly deadline: bigint;
}
