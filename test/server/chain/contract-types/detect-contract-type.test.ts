import { expect, test } from "vitest";
import { detectContractType } from "../../../../server/chain/contract-types/contract-types.ts";
import type { Chain, Hex } from "../../../../server/chain/rpc/chain.ts";

const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, "0")}`;

/** A contract that returns this for `decimals()`, a word for any other call, and nothing for ERC-165. */
function chainWith(decimals: Hex): Chain {
  const call = async ({ data }: { readonly data: Hex }): Promise<Hex> => {
    if (data === "0x313ce567") return decimals;
    return data.startsWith("0x01ffc9a7") ? "0x" : word(1n);
  };
  return { call } as unknown as Chain;
}

test.each([
  [word(0n), "ERC20"],
  [word(254n), "ERC20"],
  [word(255n), "ERC20"],
  [word(256n), "UNKNOWN"],
  [word(2n ** 256n - 1n), "UNKNOWN"],
  ["0x", "UNKNOWN"],
  [`${word(18n)}00`, "UNKNOWN"],
] as const)("a contract whose decimals are %s is %s", async (decimals, type) => {
  const { signal } = new AbortController();
  expect(await detectContractType(chainWith(decimals), `0x${"1".repeat(40)}`, signal)).toBe(type);
});
