import { type Abi, encodeFunctionResult, type Hex } from "viem";
import { expect, test } from "vitest";
import type { Exchange } from "../../../../server/chain/networks/exchanges.ts";
import type { Chain } from "../../../../server/chain/rpc/chain.ts";
import type { Chains } from "../../../../server/chain/rpc/chains.ts";
import lens from "../../../../server/wallets/swaps/contracts/SwapLens.json" with { type: "json" };
import { priceImpactPercent } from "../../../../server/wallets/swaps/swap.ts";
import { Swaps } from "../../../../server/wallets/swaps/swaps.ts";
import { localNetwork } from "../../../support/local-network.ts";

test.each([
  [1_000_000n, 1_000_000n, 1_000n, 0],
  [1_000_000n, 1_250_000n, 1_000n, 20],
  [1_000_000n, 1_000_000n, 1_001n, 0],
  [1_000_000n, 10_000_000n, 1_000n, 90],
  [999n, 2_000n, 2_000n, 0],
  [1_999n, 4_000n, 1n, 50.025],
])("buying %s for %s, with a probe at %s, has an impact of %s %%", (amount, price, probe, expected) => {
  const exchange: Exchange = { kind: "v2", router, fees: [] };
  expect(priceImpactPercent({ exchange, tokens: [sell, buy], fees: [0], price, probe }, amount)).toBe(
    expected,
  );
});

const [sell, buy, router] = ["1", "2", "3"].map((digit): Hex => `0x${digit.repeat(40)}`) as [Hex, Hex, Hex];

/** Chains on which a swap has this price, and its thousandth one of 1000. */
function chainsWith(price: bigint): Chains {
  const result = {
    route: { price, exchange: 0n, tokens: [sell, buy], fees: [0], probe: 1_000n },
    sell: 0,
    buy: 0,
    balance: 1n,
    allowance: 0n,
    timestamp: 0n,
    hasUnexpectedCode: [false],
  };
  const data = encodeFunctionResult({ abi: lens.abi as Abi, functionName: "find", result });
  const chain = { callCode: async () => data } as unknown as Chain;
  return { of: async () => chain } as unknown as Chains;
}

test.each([
  [10, 1_111_111n, undefined],
  [
    10,
    1_111_300n,
    "/buyAmount: the swap would worsen the price by 10.0 %, and this host allows 10 %; buy less, or in several swaps",
  ],
  [undefined, 10n ** 30n, undefined],
])("with a limit of %s %%, a price of %s instead of 1,000,000 returns: %s", async (max, price, fault) => {
  const impacts: number[] = [];
  const swaps = new Swaps(chainsWith(price), {
    deadlineSeconds: 60,
    ...(max === undefined ? {} : { maxPriceImpactPercent: max }),
    onPriced: (_, impact) => impacts.push(impact),
  });
  const network = localNetwork("http://127.0.0.1:1", { exchanges: [{ kind: "v2", router }] });
  const request = { sell, buy, amount: 1_000_000n, slippagePercentage: 0 };
  const asked = swaps.price(network, request);
  if (fault === undefined) expect(await asked).toMatchObject({ price });
  else await expect(asked).rejects.toThrow(fault);
  expect(impacts).toHaveLength(1);
});
