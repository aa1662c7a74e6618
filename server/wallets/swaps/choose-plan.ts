import type { Plan } from "./swap.ts";
import type { LensResult, Split } from "./viem/lens.ts";

/** Gas of each pool that a split uses more than the single route: 88,000 to 100,000 if the price crosses few ticks. */
const gasPerPool = 100_000n;
/** Two routes revert if either price moves, so a split must save more than `price / minSavingDivisor` after gas. */
const minSavingDivisor = 1_000n;

/** Chooses the cheapest single route, or a split if that saves more than its gas costs. */
export function choosePlan(
  { route, allowance, split }: LensResult,
  gasPrice: bigint | undefined,
): Plan | undefined {
  const single: Plan | undefined =
    route === undefined
      ? undefined
      : { exchange: route.exchange, routes: [route], price: route.price, allowance };
  if (split === undefined || single === undefined) return split ?? single;
  const saving = single.price - split.price;
  const cost = gasPrice === undefined ? undefined : costOfGas(split, single, gasPrice);
  return isWorthwhile(saving, single.price, cost) ? split : single;
}

/** Where the cost of gas in the sold currency is not known, a split must save 1 %. */
function isWorthwhile(saving: bigint, price: bigint, cost: bigint | undefined): boolean {
  return cost === undefined ? saving >= price / 100n : saving - cost > price / minSavingDivisor;
}

/** In the sold currency; undefined if no pool converts the native coin. */
function costOfGas(split: Split, single: Plan, gasPrice: bigint): bigint | undefined {
  if (split.coinPrice === 0n) return undefined;
  const pools = BigInt(Math.max(poolsOf(split) - poolsOf(single), 0));
  return (pools * gasPerPool * gasPrice * split.coinPrice) / coinProbe;
}

/** The amount of native coin whose price the lens reads. */
const coinProbe = 10n ** 15n;

function poolsOf({ routes }: Plan): number {
  return routes.reduce((sum, { tokens }) => sum + tokens.length - 1, 0);
}
