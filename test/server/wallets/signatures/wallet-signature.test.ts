import { expect, test } from "vitest";
import type { Chain, Hex } from "../../../../server/chain/rpc/chain.ts";
import { isWalletSignature } from "../../../../server/wallets/signatures/wallet-signature.ts";

/** A chain on which every address is a wallet that accepts every signature. */
function generousChain(asked: Hex[]): Chain {
  const callMany: Chain["callMany"] = async ({ calls }) =>
    calls.map(({ to }): Hex => {
      asked.push(to);
      return `0x1626ba7e${"0".repeat(56)}`;
    });
  return { callMany } as Chain;
}

test.each([
  ["0x0", false],
  ["0xffff", false],
  ["0x10000", true],
  ["0x10001", true],
])("whether the contract at %s is called (below 0x10000 are precompiles): %s", async (end, is) => {
  const wallet: Hex = `0x${end.slice(2).padStart(40, "0")}`;
  const asked: Hex[] = [];
  const claim = { wallet, hash: `0x${"0".repeat(64)}`, signature: "0x12" } as const;
  expect(await isWalletSignature(generousChain(asked), claim)).toBe(is);
  expect(asked).toEqual(is ? [wallet] : []);
});
