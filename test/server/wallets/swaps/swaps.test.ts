import { expect, test } from "vitest";
import type { Chains } from "../../../../server/chain/rpc/chains.ts";
import { Swaps } from "../../../../server/wallets/swaps/swaps.ts";
import { localNetwork } from "../../../support/local-network.ts";

const swaps = new Swaps({} as Chains, { deadlineSeconds: 1_200 });
/** A network without exchanges: valid requests fail with this. */
const network = localNetwork("http://127.0.0.1:1", { exchanges: [] });
const asking = {
  sell: `0x${"1".repeat(40)}`,
  buy: `0x${"2".repeat(40)}`,
  amount: 1n,
  slippagePercentage: 5,
} as const;

test.each([
  [0xffffn, "/userAddress: expected the address of an account"],
  [0x1_0000n, "no exchange of"],
  [0x1_0001n, "no exchange of"],
])("a quote for the account %s returns: %s", async (account, fault) => {
  const user = `0x${account.toString(16).padStart(40, "0")}` as const;
  const quote = swaps.quote(network, { ...asking, user, includeApprove: false });
  await expect(quote).rejects.toThrow(fault);
});

test.each([
  [0n, "/buyAmount: expected more than 0"],
  [1n, "no exchange of"],
  [2n ** 256n - 1n, "no exchange of"],
  [2n ** 256n, "/buyAmount: expected at most 2^256 - 1"],
])("a price of %s returns: %s", async (amount, fault) => {
  await expect(swaps.price(network, { ...asking, amount })).rejects.toThrow(fault);
});
