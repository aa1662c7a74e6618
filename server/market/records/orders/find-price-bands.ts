import type { Queries } from "../../../base/storage/database.ts";
import type { PricedCurrency } from "../currencies/currency.ts";
import { findCurrencies } from "../currencies/find-currencies.ts";
import { currenciesInFilter, type OrderConditions, type PriceBand, priceBandsOf } from "./price-bands.ts";

/**
 * Returns the ids of the currencies that the unpriced segments exclude: those with a rate, and those that the filter excludes. Returns
 * undefined if the filter names its currencies, because these compete in bands even without a rate.
 */
export async function findUnpricedExclusions(
  queries: Queries,
  chainId: number,
  conditions: OrderConditions,
  priced: readonly PricedCurrency[],
): Promise<readonly number[] | undefined> {
  if (currenciesInFilter(conditions) !== undefined) return undefined;
  const { notCurrencies = [] } = conditions;
  const excluded = notCurrencies.length === 0 ? [] : await findCurrencies(queries, chainId, notCurrencies);
  return [...priced, ...excluded].map(({ id }) => id);
}

/** Returns the price bands of a filter. Queries the database only for currencies without a rate. */
export async function findPriceBands(
  queries: Queries,
  chainId: number,
  conditions: OrderConditions,
  priced: readonly PricedCurrency[],
): Promise<readonly PriceBand[]> {
  const known = new Set(priced.map(({ address }) => address));
  const others = (currenciesInFilter(conditions) ?? []).filter((address) => !known.has(address));
  const unpriced = others.length === 0 ? [] : await findCurrencies(queries, chainId, others);
  return priceBandsOf(conditions, priced, unpriced);
}
