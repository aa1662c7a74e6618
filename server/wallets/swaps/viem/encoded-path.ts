import { encodePacked } from "viem";
import type { Hex } from "../../../chain/rpc/chain.ts";
import type { Route } from "../swap.ts";

/** Encodes a path for Uniswap v3, from its end: bought token, fee, token, fee, …, sold token. */
export function encodePath({ tokens, fees }: Route): Hex {
  const parts = [...tokens].reverse().flatMap((token, index) => {
    const fee = [...fees].reverse()[index];
    return fee === undefined ? [token] : [token, fee];
  });
  return encodePacked(
    parts.map((part) => (typeof part === "number" ? "uint24" : "address")),
    parts,
  );
}
