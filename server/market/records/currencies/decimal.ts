/** An exact decimal number, not negative: `digits` / 10^`scale`. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

/** `"2000.50"` → 20005 / 10^1 or an equal number. The text is a plain decimal, as Postgres and settings write one. */
export function readDecimal(text: string): Decimal {
  const [whole = "", fraction = ""] = text.split(".");
  return { digits: BigInt(whole + fraction), scale: fraction.length };
}

export function times(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.digits, scale: a.scale + b.scale };
}

/** Without zeros at its end: 1500 / 10^3 → `"1.5"`. */
export function writeDecimal({ digits, scale }: Decimal): string {
  return withPoint(String(digits), scale);
}

/** The same of digits that are a text already: `"1500"`, 3 → `"1.5"`. */
export function withPoint(digits: string, scale: number): string {
  if (scale === 0) return digits;
  const text = digits.padStart(scale + 1, "0");
  const point = text.length - scale;
  let end = text.length;
  while (end > point && text.charCodeAt(end - 1) === zero) end--;
  return end === point ? text.slice(0, point) : `${text.slice(0, point)}.${text.slice(point, end)}`;
}

const zero = "0".charCodeAt(0);

/** To so many digits behind the point, halves up. */
export function round({ digits, scale }: Decimal, places: number): Decimal {
  if (scale <= places) return { digits, scale };
  const unit = 10n ** BigInt(scale - places);
  return { digits: (digits + unit / 2n) / unit, scale: places };
}
