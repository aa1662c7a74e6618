import { encodePacked } from "viem";
import type { Hex } from "../../chains/chain.ts";
import { nativeCoin } from "../currency.ts";
import type { Route, SwapAsk } from "../swap.ts";

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

/** The coin is bought as wrapped coin for the router itself, which then unwraps it. */
export function isUnwrapped(ask: SwapAsk): boolean {
  return ask.buy === nativeCoin;
}

/** What is left of a coin stays in the router unless it is asked for. */
export function isRefunded(ask: SwapAsk): boolean {
  return ask.sell === nativeCoin;
}
