/** Canonical types of arguments: `uint256`, `string[]`, `(address,bytes)[2]`. */
import type { Hex } from "../rpc/chain.ts";

/** The ABI encoding of each of these arguments alone; undefined if the data is not of these types. */
export type EncodeSeparately = (types: readonly string[], data: Hex) => readonly Hex[] | undefined;

/** No array, no tuple. */
export function isElementary(type: string): boolean {
  return !/[[(]/.test(type);
}

/** Its encoding has no fixed length. */
export function isDynamic(type: string): boolean {
  return /\[\]|string|bytes(?![0-9])/.test(type);
}

/** `(address,(bool,string)[])` → `address` and `(bool,string)[]`. */
export function tupleComponents(tuple: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 1;
  for (let at = 1; at < tuple.length; at++) {
    const sign = tuple[at];
    if (depth === 0 && (sign === "," || sign === ")")) {
      parts.push(tuple.slice(start, at));
      start = at + 1;
    }
    if (sign === "(") depth++;
    if (sign === ")") depth--;
  }
  return parts;
}
