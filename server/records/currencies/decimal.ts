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
  const text = String(digits).padStart(scale + 1, "0");
  if (scale === 0) return text;
  const fraction = text.slice(-scale).replace(/0+$/, "");
  return fraction === "" ? text.slice(0, -scale) : `${text.slice(0, -scale)}.${fraction}`;
}

/** To so many digits behind the point, halves up. */
export function round({ digits, scale }: Decimal, places: number): Decimal {
  if (scale <= places) return { digits, scale };
  const unit = 10n ** BigInt(scale - places);
  return { digits: (digits + unit / 2n) / unit, scale: places };
}
