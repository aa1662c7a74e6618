/** A price as text: `$1,234.50`; amounts below a cent keep three significant digits. */
export function dollars(usd: number): string {
  if (usd > 0 && usd < 0.01) return `$${usd.toPrecision(3)}`;
  return usd.toLocaleString("en-US", { style: "currency", currency: "USD" });
}
