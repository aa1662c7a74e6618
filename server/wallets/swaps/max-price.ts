/** `price × (100 + slippagePercentage) / 100`, exact and rounded up: 100 at 0.5 % → 101. The percentage is 0 to 50. */
export function maxPriceOf(price: bigint, slippagePercentage: number): bigint {
  const { digits, scale } = readDecimal(slippagePercentage);
  const whole = 100n * scale;
  return (price * (whole + digits) + whole - 1n) / whole;
}

/** 0.5 → 5 / 10. Reads the number's decimal form, because that is what the caller sent. */
function readDecimal(value: number): { readonly digits: bigint; readonly scale: bigint } {
  const text = String(value);
  const [whole = "0", fraction = ""] = (text.includes("e") ? value.toFixed(20) : text).split(".");
  return { digits: BigInt(whole + fraction), scale: 10n ** BigInt(fraction.length) };
}
