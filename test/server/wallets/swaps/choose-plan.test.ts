import { expect, test } from "vitest";
import { choosePlan } from "../../../../server/wallets/swaps/exchange-offer.ts";
import type { Split } from "../../../../server/wallets/swaps/viem/lens.ts";
import { limitRoutes } from "../../../../server/wallets/swaps/viem/transaction.ts";
import { exchange, lensResult, routeOf } from "./lens-result.ts";

function splitOf(price: bigint, coinPrice: bigint, pools = 1): Split {
  const first = price / 3n;
  const routes = [routeOf(first), routeOf(price - first, pools)] as const;
  return { exchange, routes, price, allowance: 2n, coinPrice };
}

const single = 10_000_000n;
const minSaving = 10_000n;
/** Per pool and wei of gas price: 100,000 gas at a coin price of 1 for 1. */
const oneCoin = 10n ** 15n;

test.each([
  ["gas is free, and it saves 0.1 %", single - minSaving, oneCoin, 1, 0n, "single"],
  ["gas is free, and it saves more", single - minSaving - 1n, oneCoin, 1, 0n, "split"],
  ["it saves exactly 0.1 % after gas", single - minSaving - 100_000n, oneCoin, 1, 1n, "single"],
  ["it saves more after gas", single - minSaving - 100_001n, oneCoin, 1, 1n, "split"],
  ["it saves exactly 0.1 % after gas of 3 pools", single - minSaving - 300_000n, oneCoin, 3, 1n, "single"],
  ["it saves more after gas of 3 pools", single - minSaving - 300_001n, oneCoin, 3, 1n, "split"],
  ["the coin is worth twice as much", single - minSaving - 200_000n, 2n * oneCoin, 1, 1n, "single"],
  ["the coin is worth twice as much, and it saves more", single - 210_001n, 2n * oneCoin, 1, 1n, "split"],
  ["the coin has no price, and it saves almost 1 %", single - 99_999n, 0n, 1, 1n, "single"],
  ["the coin has no price, and it saves 1 %", single - 100_000n, 0n, 1, 1n, "split"],
  ["the gas price is not known, and it saves almost 1 %", single - 99_999n, oneCoin, 1, undefined, "single"],
  ["the gas price is not known, and it saves 1 %", single - 100_000n, oneCoin, 1, undefined, "split"],
])("if %s, the swap is by %6$s", (_, price, coinPrice, pools, gasPrice, expected) => {
  const split = splitOf(price, coinPrice, pools);
  const plan = choosePlan(lensResult({ route: routeOf(single), split }), gasPrice);
  expect(plan).toEqual(
    expected === "split" ? split : { exchange, routes: [routeOf(single)], price: single, allowance: 1n },
  );
});

test("a split is taken at any price of gas if no single route has the liquidity", () => {
  const split = splitOf(single, oneCoin);
  expect(choosePlan(lensResult({ split }), 10n ** 30n)).toBe(split);
  expect(choosePlan(lensResult({}), 0n)).toBeUndefined();
});

test.each([
  [100n, [33n, 67n]],
  [101n, [33n, 68n]],
  [150n, [49n, 101n]],
])("a maximal price of %s is divided like the prices", (maxPrice, limits) => {
  const plan = splitOf(100n, 0n);
  expect(plan.routes.map(({ price }) => price)).toEqual([33n, 67n]);
  expect(limitRoutes(plan, maxPrice).map((limited) => limited.maxPrice)).toEqual(limits);
});
