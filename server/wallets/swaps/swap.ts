import type { Exchange } from "../../chain/networks/exchanges.ts";
import type { Hex } from "../../chain/rpc/chain.ts";

/** A request to buy an exact amount. Both currencies are lower case; `nativeCoin` stands for the native coin. */
export interface SwapRequest {
  readonly sell: Hex;
  readonly buy: Hex;
  /** In the smallest unit of the bought currency. */
  readonly amount: bigint;
  /** 0 to 50; may have decimals. */
  readonly slippagePercentage: number;
}

/** The cheapest price. Amounts are in the smallest unit of the sold currency. */
export interface SwapPrice {
  readonly price: bigint;
  readonly maxPrice: bigint;
  /** Amount of the native coin to send with the transaction. */
  readonly value: bigint;
}

export interface SwapQuote extends SwapPrice {
  /** The user's balance of the sold currency. */
  readonly balance: bigint;
  readonly to: Hex;
  readonly data: Hex;
  /** Call data for approving the sold token first; undefined if no approval is needed. */
  readonly approval: Hex | undefined;
}

/** A path from the sold currency to the bought one through pools of one exchange. */
export interface Route {
  readonly exchange: Exchange;
  /** The native coin appears as its wrapped token. A single token is wrapped or unwrapped. */
  readonly tokens: readonly Hex[];
  /** The fee of each hop's pool; meaningless for Uniswap v2. */
  readonly fees: readonly number[];
  /** In the smallest unit of the bought currency. */
  readonly amount: bigint;
  readonly price: bigint;
  /** The price of `amount / 1000`, or of `amount` if it is below 1000. */
  readonly probe: bigint;
}

/** Routes that one transaction takes: together they buy the requested amount. */
export interface Plan {
  /** Its router executes the transaction. */
  readonly exchange: Exchange;
  readonly routes: readonly [Route, ...Route[]];
  readonly price: bigint;
  /** How much of the sold currency the router may take. */
  readonly allowance: bigint;
}

export interface SwapTerms {
  readonly plan: Plan;
  readonly request: SwapRequest;
  readonly maxPrice: bigint;
  readonly user: Hex;
  /** Seconds since 1970. */
  readonly deadline: bigint;
}
