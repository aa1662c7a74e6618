import type { Hex } from "../rpc/chain.ts";

/** `0x01ff` as bytes, for the database. */
export function bytesOf(hex: Hex): Buffer {
  return Buffer.from(hex.slice(2), "hex");
}

export function hexOf(bytes: Buffer): Hex {
  return `0x${bytes.toString("hex")}`;
}
