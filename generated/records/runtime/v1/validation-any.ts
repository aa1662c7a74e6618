import { type Faults, fault, inEntry, inItem, isEnough } from "./validation-faults.ts";
import { maxDepth, tooDeep } from "./validation-object.ts";

/** Wanted of all text in requests. */
export const noNul = "text without NUL";

/** Any JSON value is fine, unless it holds NUL or is nested too deep. `depth` is the level of the value itself, 1 for a body. */
export function faultsInAny(value: unknown, depth: number): Faults | undefined {
  if (typeof value === "string") return value.includes("\0") ? fault(undefined, "", noNul, value) : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  if (depth > maxDepth) return fault(undefined, "", tooDeep, value);
  return Array.isArray(value) ? faultsInItems(value, depth) : faultsInEntries(value, depth);
}

function faultsInItems(list: readonly unknown[], depth: number): Faults | undefined {
  let faults: Faults | undefined;
  for (let index = 0; index < list.length && !isEnough(faults); index++) {
    faults = inItem(faults, index, faultsInAny(list[index], depth + 1));
  }
  return faults;
}

function faultsInEntries(map: object, depth: number): Faults | undefined {
  let faults: Faults | undefined;
  for (const [key, value] of Object.entries(map)) {
    if (isEnough(faults)) break;
    if (key.includes("\0")) faults = inEntry(faults, key, fault(undefined, "", "a key without NUL", key));
    faults = inEntry(faults, key, faultsInAny(value, depth + 1));
  }
  return faults;
}
