import { isStorable } from "./storable-text.ts";
import { maxDepth, tooDeep } from "./validation-depth.ts";
import { type Faults, fault } from "./validation-faults.ts";
import { hasMaxFaults, inEntry, inItem } from "./validation-items.ts";

const unstorable = "NUL or lone surrogates";

/**
 * Validates a value of type `any`: every text and key must be storable, and nesting is limited. `depth` is the level of
 * the value, 1 for a body.
 */
export function faultsInAny(value: unknown, depth: number): Faults | undefined {
  if (typeof value === "string")
    return isStorable(value) ? undefined : fault(undefined, [], `text without ${unstorable}`, value);
  if (typeof value !== "object" || value === null) return undefined;
  if (depth > maxDepth) return fault(undefined, [], tooDeep, value);
  return Array.isArray(value) ? faultsInItems(value, depth) : faultsInEntries(value, depth);
}

function faultsInItems(list: readonly unknown[], depth: number): Faults | undefined {
  let faults: Faults | undefined;
  for (let index = 0; index < list.length && !hasMaxFaults(faults); index++) {
    faults = inItem(faults, index, faultsInAny(list[index], depth + 1));
  }
  return faults;
}

function faultsInEntries(map: object, depth: number): Faults | undefined {
  let faults: Faults | undefined;
  for (const [key, value] of Object.entries(map)) {
    if (hasMaxFaults(faults)) break;
    if (!isStorable(key))
      faults = inEntry(faults, key, fault(undefined, [], `a key without ${unstorable}`, key));
    faults = inEntry(faults, key, faultsInAny(value, depth + 1));
  }
  return faults;
}
