import type { PricedCurrency } from "../currencies/currency.ts";
import { type Decimal, readDecimal, round, times, withPoint, writeDecimal } from "../currencies/decimal.ts";

/** `amountText("1500", 3)` → `"1.5"` */
export function amountText(amount: string, decimals: number): string {
  return withPoint(amount, decimals);
}

/** What remains of a price after fees, rounded down. */
export function netAmount(amount: string, feeBps: number): string {
  return feeBps === 0 ? amount : String((BigInt(amount) * BigInt(10_000 - feeBps)) / 10_000n);
}

/** Dollars for an amount of the smallest unit of a currency, exactly. */
export function dollarsOf(amount: string, { usdRate, decimals }: PricedCurrency): Decimal {
  return times(readDecimal(usdRate), { digits: BigInt(amount), scale: decimals });
}

/** Cents; below a dollar the first four digits that are not 0, so that small prices differ too. */
export function dollarsText(dollars: Decimal): string {
  const { digits, scale } = dollars;
  const zeros = scale - String(digits).length;
  return writeDecimal(round(dollars, zeros < 0 ? 2 : zeros + 4));
}
