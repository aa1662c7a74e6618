import { encodePacked } from "viem";
import type { Hex } from "../../../chain/rpc/chain.ts";
import type { Route } from "../swap.ts";

/** A way of version 3 as one text of bytes, from its end: token, fee, token, fee, …, the sold token. */
export function packPath({ tokens, fees }: Route): Hex {
  const parts = [...tokens].reverse().flatMap((token, index) => {
    const fee = [...fees].reverse()[index];
    return fee === undefined ? [token] : [token, fee];
  });
  return encodePacked(
    parts.map((part) => (typeof part === "number" ? "uint24" : "address")),
    parts,
  );
}
