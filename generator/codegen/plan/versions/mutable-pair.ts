/** A pair of types whose properties are found one by one. */
import type { PairParts, TypePair } from "./conversion.ts";

export interface MutablePair extends TypePair {
  parts: PairParts;
  isSame: boolean;
  needsCheck: boolean;
  isCustom: boolean;
  /** The pairs that contain this one. */
  readonly holders: Set<MutablePair>;
}

/** Gives a property that some pairs have to all pairs that contain them. */
export function spread(
  all: readonly MutablePair[],
  name: "isSame" | "needsCheck" | "isCustom",
  value: boolean,
): void {
  const open = all.filter((pair) => pair[name] === value);
  for (let pair = open.pop(); pair !== undefined; pair = open.pop())
    for (const holder of pair.holders) {
      if (holder[name] === value) continue;
      holder[name] = value;
      open.push(holder);
    }
}
