import { afterEach, expect, test, vi } from "vitest";
import type { Hex } from "../../../../server/chain/rpc/chain.ts";
import { AggregatorFailure, fetchAggregatorOffer } from "../../../../server/wallets/swaps/aggregator.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

const [sell, buy] = [`0x${"1".repeat(40)}`, `0x${"2".repeat(40)}`] as const satisfies Hex[];
const asking = { sell, buy, amount: 5n, slippagePercentage: 5, user: undefined, signal: undefined };

/** The price in a response with this body. */
async function priceIn(body: string): Promise<bigint | undefined> {
  vi.stubGlobal("fetch", async () => new Response(body));
  return (await fetchAggregatorOffer({ url: "https://a.example" }, 137, asking))?.price;
}

test.each([
  [262_143, true],
  [262_144, true],
  [262_145, false],
])("whether a response of %i bytes is read: %s", async (bytes, is) => {
  const price = priceIn(JSON.stringify({ sellAmount: "7", buyAmount: "5" }).padEnd(bytes));
  if (is) expect(await price).toBe(7n);
  else await expect(price).rejects.toThrow(AggregatorFailure);
});

test.each([
  ["0", false],
  ["1", true],
  ["9".repeat(78), true],
  ["1".repeat(79), false],
  ["01", false],
  ["-1", false],
])("whether %s is an amount to pay: %s", async (sellAmount, is) => {
  const price = priceIn(JSON.stringify({ sellAmount, buyAmount: "5" }));
  if (is) expect(await price).toBe(BigInt(sellAmount));
  else await expect(price).rejects.toThrow("the aggregator's response has no valid sellAmount");
});

test.each(["4", "6"])("an offer of %s instead of 5 is not used", async (buyAmount) => {
  expect(await priceIn(JSON.stringify({ sellAmount: "7", buyAmount }))).toBeUndefined();
});
