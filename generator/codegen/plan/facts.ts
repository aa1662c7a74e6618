import { isAny, type TypeReference } from "../../language/model/types.ts";
import { type Holders, heldTypes, type Innermost } from "./holders.ts";
import type { Facts, PlannedType } from "./plan.ts";

/** Computes facts about all types that several targets need. */
export function factsOf(types: readonly PlannedType[], holders: Holders): Facts {
  return {
    holders,
    endless: recursiveTypes(types, holders, false),
    counted: recursiveTypes(types, holders, true),
  };
}

/**
 * Returns recursive types, and types that contain a recursive type. Starts with all types and removes finite ones from
 * the leaves up: a type is finite if all its parts are. Takes linear time.
 */
function recursiveTypes(
  types: readonly PlannedType[],
  holders: Holders,
  isAnyCounted: boolean,
): ReadonlySet<string> {
  const endless = new Set<string>();
  /** For each type, the number of parts that are not yet known to be finite. */
  const unresolved = new Map<string, number>();
  const ready: string[] = [];
  for (const type of types) {
    const parts = heldTypes(type);
    const count = isAnyCounted && parts.some(isAny) ? Number.POSITIVE_INFINITY : parts.filter(isNamed).length;
    endless.add(type.name);
    unresolved.set(type.name, count);
    if (count === 0) ready.push(type.name);
  }
  for (let name = ready.pop(); name !== undefined; name = ready.pop()) {
    endless.delete(name);
    for (const holder of holders.get(name) ?? []) {
      const remaining = (unresolved.get(holder) ?? 0) - 1;
      unresolved.set(holder, remaining);
      if (remaining === 0) ready.push(holder);
    }
  }
  return endless;
}

export function isNamed(type: Innermost): type is TypeReference {
  return type.kind === "struct" || type.kind === "enum" || type.kind === "alias";
}
