import { expect, test } from "vitest";
import { maxPriceOf } from "../../../../server/wallets/swaps/swap.ts";

test.each([
  [100n, 0, 100n],
  [100n, 5, 105n],
  [100n, 50, 150n],
  [100n, 0.5, 101n],
  [200n, 0.5, 201n],
  [201n, 0.5, 203n],
  [1n, 0, 1n],
  [1n, 5, 2n],
  [0n, 5, 0n],
  [1_000n, 0.1, 1_001n],
  [999n, 0.1, 1_000n],
  [10n ** 9n, 1e-7, 10n ** 9n + 1n],
  [10n ** 18n, 1e-7, 10n ** 18n + 10n ** 9n],
  [2n ** 256n - 1n, 0, 2n ** 256n - 1n],
])("%s at a slippage of %d percent costs at most %s", (price, slippage, most) => {
  expect(maxPriceOf(price, slippage)).toBe(most);
});
