import type { Hex } from "../../chain/rpc/chain.ts";

/** How this API writes a chain's own coin. */
export const nativeCoin: Hex = `0x${"e".repeat(40)}`;

export const zeroAddress: Hex = `0x${"0".repeat(40)}`;

/** The zero address means the chain's own coin too, as elsewhere. */
export function readCurrency(address: string): Hex {
  return address === zeroAddress ? nativeCoin : (address as Hex);
}
