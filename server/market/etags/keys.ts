/** Names of the parts of the market's data, as in the messages of the database (0028-market-change.sql). */

export interface StateVersions {
  /** The version of the data that these keys name; undefined while it is uncertain. Take it before the data is read. */
  versionOf(keys: readonly string[]): string | undefined;
}

/** The tables of a collection that change separately. */
export type MarketTable = "market_order" | "collectible" | "asset" | "collectible_owner";

/** The keys of tables of collections. Addresses are lower case. */
export function collectionKeys(
  chainId: number,
  addresses: readonly string[],
  tables: readonly MarketTable[],
): readonly string[] {
  return [
    chainKey(chainId),
    ...addresses.flatMap((address) => tables.map((table) => `${chainId} ${address} ${table}`)),
  ];
}

/** The key of a chain's currencies and their rates. */
export function currencyKey(chainId: number): string {
  return `${chainId} currency`;
}

/** Changes if more collections have changed than the database lists one by one. */
function chainKey(chainId: number): string {
  return String(chainId);
}
