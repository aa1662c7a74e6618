/** An exact non-negative decimal: `digits` / 10^`scale`. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

/** `"2000.50"` → 20005 / 10^1, or an equal fraction. Takes plain decimals, as Postgres and the settings write them. */
export function readDecimal(text: string): Decimal {
  const [whole = "", fraction = ""] = text.split(".");
  return { digits: BigInt(whole + fraction), scale: fraction.length };
}

export function times(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.digits, scale: a.scale + b.scale };
}

/** Omits trailing zeros: 1500 / 10^3 → `"1.5"`. */
export function writeDecimal({ digits, scale }: Decimal): string {
  return withPoint(String(digits), scale);
}

/** Inserts the decimal point into a digit string: `"1500"`, 3 → `"1.5"`. */
export function withPoint(digits: string, scale: number): string {
  if (scale === 0) return digits;
  const text = digits.padStart(scale + 1, "0");
  const point = text.length - scale;
  let end = text.length;
  while (end > point && text.charCodeAt(end - 1) === zero) end--;
  return end === point ? text.slice(0, point) : `${text.slice(0, point)}.${text.slice(point, end)}`;
}

const zero = "0".charCodeAt(0);

/** Rounds half up to `places` decimals. */
export function round({ digits, scale }: Decimal, places: number): Decimal {
  if (scale <= places) return { digits, scale };
  const unit = 10n ** BigInt(scale - places);
  return { digits: (digits + unit / 2n) / unit, scale: places };
}
