/** A currency that orders can be priced in. */
export interface Currency {
  /** Id of its database row. */
  readonly id: number;
  /** Lower case. The zero address is the chain's native coin. */
  readonly address: string;
  readonly decimals: number;
}

/** A currency with a rate, so that its orders compete with those in other currencies. */
export interface PricedCurrency extends Currency {
  /** US dollars per whole unit, a plain decimal above 0. */
  readonly usdRate: string;
}

/** A source of exchange rates: configuration, imports, price feeds, pools. */
export interface CurrencyRates {
  /** Currencies of a chain that have a rate now. */
  pricedOn(chainId: number): Promise<readonly PricedCurrency[]>;
}
