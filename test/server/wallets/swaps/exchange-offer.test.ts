import { type Abi, encodeFunctionResult, type Hex } from "viem";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Chain } from "../../../../server/chain/rpc/chain.ts";
import lens from "../../../../server/wallets/swaps/contracts/SwapLens.json" with { type: "json" };
import { findExchangeOffer } from "../../../../server/wallets/swaps/exchange-offer.ts";
import { localNetwork } from "../../../support/local-network.ts";

const nowSeconds = 1_800_000_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: nowSeconds * 1_000 + 999 });
});
afterEach(() => {
  vi.useRealTimers();
});

const [sell, buy, router, user] = ["1", "2", "3", "4"].map((digit): Hex => `0x${digit.repeat(40)}`) as [
  Hex,
  Hex,
  Hex,
  Hex,
];

/** A chain with one pool at a price of 1 and a latest block of this time. */
function chainAt(timestamp: number): Chain {
  const result = {
    route: { price: 1n, exchange: 0n, tokens: [sell, buy], fees: [0], probe: 1n },
    sell: 0,
    buy: 0,
    balance: 1n,
    allowance: 0n,
    timestamp: BigInt(timestamp),
    hasUnexpectedCode: [false],
  };
  const data = encodeFunctionResult({ abi: lens.abi as Abi, functionName: "find", result });
  return { callCode: async () => data } as unknown as Chain;
}

test.each([
  [-86_400, 0],
  [-1, 0],
  [0, 0],
  [1, 1],
  [86_400, 86_400],
])(
  "the deadline counts from the later of block time and clock: latest block %i s from now, %i s",
  async (block, from) => {
    const network = localNetwork("http://127.0.0.1:1", { exchanges: [{ kind: "v2", router }] });
    const request = { sell, buy, amount: 1n, slippagePercentage: 5, user, signal: undefined };
    const { offer } = await findExchangeOffer(chainAt(nowSeconds + block), network, request, 1_200);
    const data = await offer?.encodeCall(1n, user);
    // The last argument of the router's method; the path is encoded after all arguments.
    const deadline = Number(BigInt(`0x${data?.slice(10 + 4 * 64, 10 + 5 * 64)}`));
    expect(deadline).toBe(nowSeconds + from + 1_200);
  },
);
