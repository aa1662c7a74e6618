import type { Queries } from "../../../base/storage/database.ts";
import { uint256Max } from "../../../base/uint256.ts";
import {
  type Currency,
  findCurrencies,
  type PricedCurrency,
  readDecimal,
  times,
  writeDecimal,
} from "../currencies/currency.ts";

/**
 * Conditions on orders. Fields are AND-ed, values of one field OR-ed; an empty or absent field restricts nothing. Addresses are lower case.
 */
export interface OrderConditions {
  readonly marketplaces?: readonly string[] | undefined;
  readonly createdBy?: readonly string[] | undefined;
  readonly notCreatedBy?: readonly string[] | undefined;
  readonly currencies?: readonly string[] | undefined;
  readonly notCurrencies?: readonly string[] | undefined;
  readonly prices?: readonly PriceRange[] | undefined;
}

/** Price of one token, in the smallest unit of the currency, both ends inclusive. */
export interface PriceRange {
  readonly contractAddress: string;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
}

/** Orders of one currency with prices in one range. Bands compete with each other for the best order. */
export interface PriceBand {
  readonly currency: Currency;
  /** 0 for priced currencies. Every other currency has a tier of its own, behind all priced ones. */
  readonly tier: number;
  /** Factor that makes prices of a tier comparable: dollars per smallest unit, a plain decimal. */
  readonly unit: string;
  readonly low: string;
  readonly high: string;
}

/** The currencies that a filter names. Their orders compete even without a rate. Undefined if it names none. */
export function currenciesInFilter({ currencies, prices }: OrderConditions): readonly string[] | undefined {
  const lists = [currencies, prices?.map(({ contractAddress }) => contractAddress)].filter(isNonEmpty);
  const [first, ...others] = lists;
  return first === undefined
    ? undefined
    : [...new Set(first)].filter((address) => others.every((list) => list.includes(address)));
}

/**
 * Returns the price bands of a filter: the currencies that it names and that are stored, or else all priced ones, each split by its price ranges.
 */
export function priceBandsOf(
  conditions: OrderConditions,
  priced: readonly PricedCurrency[],
  unpriced: readonly Currency[],
): readonly PriceBand[] {
  const pricedBands = priced.map((currency) => ({ currency, tier: 0, unit: unitPrice(currency) }));
  const unpricedBands = unpriced.map((currency) => ({ currency, tier: currency.id, unit: "1" }));
  const bands = new Map([...unpricedBands, ...pricedBands].map((band) => [band.currency.address, band]));
  const named = currenciesInFilter(conditions) ?? priced.map(({ address }) => address);
  const included = named.filter((address) => !conditions.notCurrencies?.includes(address));
  return included.flatMap((address): readonly PriceBand[] => {
    const band = bands.get(address);
    return band === undefined
      ? []
      : rangesOf(address, conditions.prices).map((range) => ({ ...band, ...range }));
  });
}

/** Dollars per smallest unit, exact: a rate of 2000.5 with 18 decimals → `"0.0000000000000020005"`. */
function unitPrice({ usdRate, decimals }: PricedCurrency): string {
  return writeDecimal(times(readDecimal(usdRate), { digits: 1n, scale: decimals }));
}

/** The price ranges of one currency. Overlapping ranges are merged, so that an order competes once. */
function rangesOf(
  address: string,
  prices: OrderConditions["prices"],
): readonly { low: string; high: string }[] {
  if (!isNonEmpty(prices)) return [{ low: "0", high: String(uint256Max) }];
  const ranges = prices
    .filter(({ contractAddress }) => contractAddress === address)
    .map(({ min, max }) => ({ low: BigInt(min ?? 0), high: max === undefined ? uint256Max : BigInt(max) }))
    .filter(({ low, high }) => low <= high)
    .sort((a, b) => (a.low < b.low ? -1 : 1));
  const joined: { low: bigint; high: bigint }[] = [];
  for (const range of ranges) {
    const last = joined.at(-1);
    if (last === undefined || range.low > last.high) joined.push({ ...range });
    else if (range.high > last.high) last.high = range.high;
  }
  return joined.map(({ low, high }) => ({ low: String(low), high: String(high) }));
}

function isNonEmpty<Item>(list: readonly Item[] | undefined): list is readonly Item[] {
  return list !== undefined && list.length > 0;
}

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
