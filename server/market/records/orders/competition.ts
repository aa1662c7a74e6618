import { uint256Max } from "../../../base/uint256.ts";
import type { Currency, PricedCurrency } from "../currencies/currency.ts";
import { readDecimal, times, writeDecimal } from "../currencies/decimal.ts";

/** Which orders count. Parts are AND-ed, values of one part OR-ed; an empty or absent part restricts nothing. Addresses are lower case. */
export interface OrderConditions {
  readonly marketplaces?: readonly string[] | undefined;
  readonly createdBy?: readonly string[] | undefined;
  readonly notCreatedBy?: readonly string[] | undefined;
  readonly currencies?: readonly string[] | undefined;
  readonly notCurrencies?: readonly string[] | undefined;
  readonly prices?: readonly PriceRange[] | undefined;
}

/** Of one unit, in the smallest unit of the currency, both inclusive. */
export interface PriceRange {
  readonly contractAddress: string;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
}

/** Orders of one currency with prices in one range, which compete with those of the other lanes. */
export interface Lane {
  readonly currency: Currency;
  /** 0: priced. Otherwise all priced orders go first, and then each currency for itself. */
  readonly tier: number;
  /** What a price is multiplied by to be compared within its tier: dollars for the smallest unit, a plain decimal. */
  readonly unit: string;
  readonly low: string;
  readonly high: string;
}

/** The currencies that a filter names, by which orders compete though nobody prices them. Undefined: it names none. */
export function namedCurrencies({ currencies, prices }: OrderConditions): readonly string[] | undefined {
  const lists = [currencies, prices?.map(({ contractAddress }) => contractAddress)].filter(isGiven);
  const [first, ...others] = lists;
  return first === undefined
    ? undefined
    : [...new Set(first)].filter((one) => others.every((other) => other.includes(one)));
}

/** Who competes: the currencies that are priced, or else those that the filter names and that are known, each in the ranges that it gives. */
export function lanesOf(
  conditions: OrderConditions,
  priced: readonly PricedCurrency[],
  unpriced: readonly Currency[],
): readonly Lane[] {
  const pricedLanes = priced.map((currency) => ({ currency, tier: 0, unit: unitPrice(currency) }));
  const unpricedLanes = unpriced.map((currency) => ({ currency, tier: currency.id, unit: "1" }));
  const lanes = new Map([...unpricedLanes, ...pricedLanes].map((lane) => [lane.currency.address, lane]));
  const named = namedCurrencies(conditions) ?? priced.map(({ address }) => address);
  const left = named.filter((address) => !conditions.notCurrencies?.includes(address));
  return left.flatMap((address): readonly Lane[] => {
    const lane = lanes.get(address);
    return lane === undefined
      ? []
      : rangesOf(address, conditions.prices).map((range) => ({ ...lane, ...range }));
  });
}

/** Dollars for the smallest unit, exactly: a rate of 2000.5 and 18 decimals → `"0.0000000000000020005"`. */
function unitPrice({ usdRate, decimals }: PricedCurrency): string {
  return writeDecimal(times(readDecimal(usdRate), { digits: 1n, scale: decimals }));
}

/** The ranges of one currency, those that overlap as one: an order competes once. */
function rangesOf(
  address: string,
  prices: OrderConditions["prices"],
): readonly { low: string; high: string }[] {
  if (!isGiven(prices)) return [{ low: "0", high: String(uint256Max) }];
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

function isGiven<Item>(list: readonly Item[] | undefined): list is readonly Item[] {
  return list !== undefined && list.length > 0;
}
