/** What orders may be priced in. */
export interface Currency {
  /** Its record's id. */
  readonly id: number;
  /** Lower case; the zero address for the chain's own coin. */
  readonly address: string;
  readonly decimals: number;
}

/** A currency whose orders compete with those of others. */
export interface PricedCurrency extends Currency {
  /** US dollars for one whole unit, a plain decimal above 0. */
  readonly usdRate: string;
}

/** Whoever knows what currencies are worth: the configuration and imports, a feed of a chain, a pool. */
export interface CurrencyRates {
  /** Those of a chain that have a rate, as of now. */
  pricedOn(chainId: number): Promise<readonly PricedCurrency[]>;
}
