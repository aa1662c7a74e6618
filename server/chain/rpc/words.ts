import type { Hex } from "./chain.ts";

/** A word of what a contract answered or told, as a number: `wordAt("0x…", 1)` is bytes 32 to 63. Undefined where it ends before. */
export function wordAt(data: Hex | undefined, index: number): bigint | undefined {
  const word = data?.slice(2 + 64 * index, 2 + 64 * (index + 1));
  return word?.length === 64 ? BigInt(`0x${word}`) : undefined;
}
