import type { Hex } from "./chain.ts";

/** Reads a word of a result or log as a number: `wordAt("0x…", 1)` is bytes 32 to 63. Returns undefined if the data is shorter. */
export function wordAt(data: Hex | undefined, index: number): bigint | undefined {
  const word = data?.slice(2 + 64 * index, 2 + 64 * (index + 1));
  return word?.length === 64 ? BigInt(`0x${word}`) : undefined;
}

/** `0x01ff` as bytes, for the database. */
export function bytesOf(hex: Hex): Buffer {
  return Buffer.from(hex.slice(2), "hex");
}

export function hexOf(bytes: Buffer): Hex {
  return `0x${bytes.toString("hex")}`;
}
