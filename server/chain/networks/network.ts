/** A chain that a host serves, with the operator's settings. */
import type { Aggregator } from "./aggregator-setting.ts";
import type { Exchange } from "./exchanges.ts";
import type { FollowSettings } from "./follow.ts";
import type { Market } from "./markets.ts";
import type { NodeSettings } from "./node-settings.ts";
import type { RateSource } from "./rate-sources.ts";

export interface Coin {
  readonly name: string;
  readonly symbol: string;
  /** Number of decimal places of its usual unit. */
  readonly decimals: number;
  /** US dollars per usual unit, a decimal above 0, if the operator has set a fixed rate. */
  readonly usdRate?: string;
  /** The contract from which the rate is read. */
  readonly usdFrom?: RateSource;
}

export interface Currency extends Coin {
  /** Lower case; the zero address stands for the native coin. */
  readonly address: string;
}

export interface Network {
  readonly chainId: number;
  /** The displayed name: `polygon`. */
  readonly name: string;
  /** All names that callers may use, including `name`. Lower case. */
  readonly names: readonly string[];
  readonly title: string;
  readonly coin: Coin;
  readonly isTestnet: boolean;
  /** The preferred one first. Without nodes, everything that needs the chain is Unavailable. */
  readonly nodes: readonly NodeSettings[];
  /** The native coin first. */
  readonly currencies: readonly Currency[];
  /** Tokens that the route of a swap may pass through. */
  readonly connectors: readonly string[];
  /** Exchanges for swaps. Without exchanges this host offers no swaps on this network. */
  readonly exchanges: readonly Exchange[];
  /** A service that is queried in addition to the exchanges. */
  readonly aggregator?: Aggregator;
  /** How its blocks are followed. Undefined: they are not followed. */
  readonly follow?: FollowSettings;
  /** Markets whose orders are read from the chain while it is followed, at most one of each kind. */
  readonly markets: readonly Market[];
}
