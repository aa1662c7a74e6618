import type { Plan, Route } from "./swap.ts";

/**
 * How far a swap worsens its own rate: at 20 %, the rate of a very small swap would buy the amount for 80 % of the price. From 0
 * to below 100. Fees of pools do not count, because both rates contain them.
 */
export function priceImpactPercent({ routes, price }: Plan): number {
  const undisturbed = routes.reduce((sum, route) => sum + undisturbedPrice(route), 0n);
  if (undisturbed >= price) return 0;
  return Number(((price - undisturbed) * 1_000_000n) / price) / 10_000;
}

/** The price at the rate of the probe. Pools round prices up, so the impact of tiny amounts is underestimated. */
function undisturbedPrice({ amount, probe }: Route): bigint {
  return (probe * amount) / (amount < 1_000n ? amount : amount / 1_000n);
}
