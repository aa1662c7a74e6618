import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Chain, ChainFailure } from "../../../../server/chain/rpc/chain.ts";
import { GasPrices } from "../../../../server/wallets/swaps/exchange-offer.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A chain whose nodes report these prices, one after another. */
function chainWith(...prices: readonly unknown[]): Chain {
  const left = [...prices];
  const request = async (method: string): Promise<unknown> => {
    expect(method).toBe("eth_gasPrice");
    const price = left.shift();
    if (price instanceof Error) throw price;
    return price;
  };
  return { request } as unknown as Chain;
}

test.each([
  ["0x3b9aca00", 1_000_000_000n],
  ["0x0", 0n],
  ["0x", undefined],
  [`0x${"f".repeat(33)}`, undefined],
  [7, undefined],
  [null, undefined],
  [new ChainFailure("away"), undefined],
])("a node's response %s is the price %s", async (response, price) => {
  expect(await new GasPrices().of(1, chainWith(response))).toBe(price);
});

test.each([
  [14_999, 1n],
  [15_000, 2n],
])("after %i ms the price is %s", async (age, price) => {
  const prices = new GasPrices();
  const chain = chainWith("0x1", "0x2");
  expect(await prices.of(1, chain)).toBe(1n);
  vi.advanceTimersByTime(age);
  expect(await prices.of(1, chain)).toBe(price);
  expect(await prices.of(2, chainWith("0x7"))).toBe(7n);
});
