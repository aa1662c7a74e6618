/** Helpers for canonical argument types: `uint256`, `string[]`, `(address,bytes)[2]`. */
import type { Hex } from "../rpc/chain.ts";

/** ABI-encodes each argument of the data separately. Returns undefined if the data does not fit the types. */
export type EncodeSeparately = (types: readonly string[], data: Hex) => readonly Hex[] | undefined;

export function isElementary(type: string): boolean {
  return !/[[(]/.test(type);
}

export function isDynamic(type: string): boolean {
  return /\[\]|string|bytes(?![0-9])/.test(type);
}

/** `(address,(bool,string)[])` → `address` and `(bool,string)[]`. */
export function tupleComponents(tuple: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 1;
  for (let at = 1; at < tuple.length; at++) {
    const character = tuple[at];
    if (depth === 0 && (character === "," || character === ")")) {
      parts.push(tuple.slice(start, at));
      start = at + 1;
    }
    if (character === "(") depth++;
    if (character === ")") depth--;
  }
  return parts;
}
