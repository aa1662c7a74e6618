/** A chain that a host serves, with all that its operator says of it. */
import type { Aggregator } from "./aggregator.ts";
import type { Exchange } from "./exchanges.ts";
import type { FollowSettings } from "./follow.ts";
import type { Market } from "./markets.ts";
import type { RateSource } from "./rate-sources.ts";

export interface Coin {
  readonly name: string;
  readonly symbol: string;
  /** Digits behind the point of its usual unit. */
  readonly decimals: number;
  /** US dollars for its usual unit, a plain decimal above 0, if the operator fixes it. */
  readonly usdRate?: string;
  /** Where on the chain it is read what that is worth. */
  readonly usdFrom?: RateSource;
}

/** A currency that orders of this network may be priced in. */
export interface Currency extends Coin {
  /** Lower case; the zero address for the chain's own coin. */
  readonly address: string;
}

export interface Network {
  /** EIP-155. */
  readonly chainId: number;
  /** The one that is shown: `polygon`. */
  readonly name: string;
  /** All that callers may use, the shown one included. Lower case. */
  readonly names: readonly string[];
  readonly title: string;
  readonly coin: Coin;
  readonly isTestnet: boolean;
  /** Addresses of its nodes, the preferred one first; none: what needs the chain is Unavailable. They may hold keys: never log one. */
  readonly rpcUrls: readonly string[];
  /** The chain's own coin first. */
  readonly currencies: readonly Currency[];
  /** Tokens that a swap may pass through. Lower case. */
  readonly connectors: readonly string[];
  /** Where swaps may be made; none: there are no swaps on this network here. */
  readonly exchanges: readonly Exchange[];
  /** Asked beside the exchanges, if the operator has one. */
  readonly aggregator?: Aggregator;
  /** How its blocks are read as they come; undefined: they are not. */
  readonly follow?: FollowSettings;
  /** Whose orders are read off the chain while it is followed, one of a kind. */
  readonly markets: readonly Market[];
}
