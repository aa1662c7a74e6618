import type { Hex } from "../../chain/rpc/chain.ts";

/** The address that stands for a chain's native coin in this API. */
export const nativeCoin: Hex = `0x${"e".repeat(40)}`;

export const zeroAddress: Hex = `0x${"0".repeat(40)}`;

/** The zero address is accepted for the native coin too, as in other APIs. */
export function readCurrency(address: string): Hex {
  return address === zeroAddress ? nativeCoin : (address as Hex);
}
