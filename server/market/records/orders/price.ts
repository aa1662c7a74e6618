import type { PricedCurrency } from "../currencies/currency.ts";
import { type Decimal, readDecimal, round, times, withPoint, writeDecimal } from "../currencies/decimal.ts";

/** `amountText("1500", 3)` → `"1.5"` */
export function amountText(amount: string, decimals: number): string {
  return withPoint(amount, decimals);
}

export function netAmount(amount: string, feeBps: number): string {
  return feeBps === 0 ? amount : String((BigInt(amount) * BigInt(10_000 - feeBps)) / 10_000n);
}

/** Exact dollars of an amount in the smallest unit of a currency. */
export function dollarsOf(amount: string, { usdRate, decimals }: PricedCurrency): Decimal {
  return times(readDecimal(usdRate), { digits: BigInt(amount), scale: decimals });
}

/** `priceUSDFormatted`: rounded to cents; below a dollar to the first four significant digits, so that small prices differ too. */
export function dollarsText(dollars: Decimal): string {
  const { digits, scale } = dollars;
  const zeros = scale - String(digits).length;
  return writeDecimal(round(dollars, zeros < 0 ? 2 : zeros + 4));
}
