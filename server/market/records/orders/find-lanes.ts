import type { Queries } from "../../../base/storage/database.ts";
import type { PricedCurrency } from "../currencies/currency.ts";
import { findCurrencies } from "../currencies/find-currencies.ts";
import { type Lane, lanesOf, namedCurrencies, type OrderConditions } from "./competition.ts";

/**
 * Ids of the currencies that never count as unpriced: those with a rate, and those that the filter leaves out. Undefined: the filter names
 * its currencies, which compete in lanes whether they have a rate or not.
 */
export async function unpricedExcept(
  queries: Queries,
  chainId: number,
  conditions: OrderConditions,
  priced: readonly PricedCurrency[],
): Promise<readonly number[] | undefined> {
  if (namedCurrencies(conditions) !== undefined) return undefined;
  const { notCurrencies = [] } = conditions;
  const leftOut = notCurrencies.length === 0 ? [] : await findCurrencies(queries, chainId, notCurrencies);
  return [...priced, ...leftOut].map(({ id }) => id);
}

/** Who competes under a filter. The database is asked only for currencies that nobody prices. */
export async function findLanes(
  queries: Queries,
  chainId: number,
  conditions: OrderConditions,
  priced: readonly PricedCurrency[],
): Promise<readonly Lane[]> {
  const known = new Set(priced.map(({ address }) => address));
  const others = (namedCurrencies(conditions) ?? []).filter((address) => !known.has(address));
  const unpriced = others.length === 0 ? [] : await findCurrencies(queries, chainId, others);
  return lanesOf(conditions, priced, unpriced);
}
