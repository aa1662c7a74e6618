import type { ResolvedType } from "../../language/model/types.ts";
import type { PlannedType } from "./plan.ts";

export type Innermost = Exclude<ResolvedType, { readonly kind: "list" } | { readonly kind: "map" }>;

/** Returns the type inside all lists and maps: `User` for `[][]User`. */
export function innermost(type: ResolvedType): Innermost {
  let at = type;
  while (at.kind === "list" || at.kind === "map") at = at.kind === "list" ? at.element : at.value;
  return at;
}

/** Returns the types of a struct's fields, or the target of an alias. */
export function memberTypes(type: PlannedType): readonly ResolvedType[] {
  if (type.kind === "struct") return type.fields.map((field) => field.type);
  return type.kind === "alias" ? [type.type] : [];
}

/** Returns the types that a type contains directly or in lists and maps. */
export function heldTypes(type: PlannedType): readonly Innermost[] {
  return memberTypes(type).map(innermost);
}

/** A type, and the names of the types that it contains directly. */
export interface Holder {
  readonly name: string;
  readonly parts: readonly string[];
}

function holderOf(type: PlannedType): Holder {
  const parts: string[] = [];
  for (const part of heldTypes(type)) if (part.kind !== "unknown") parts.push(part.name);
  return { name: type.name, parts };
}

/** Maps the name of a type to the names of the types that directly contain it. */
export type Holders = ReadonlyMap<string, readonly string[]>;

export function holdersIn(types: readonly PlannedType[]): Holders {
  return holdersOf(types.map(holderOf));
}

export function holdersOf(types: readonly Holder[]): Holders {
  const holders = new Map<string, string[]>();
  for (const { name, parts } of types) {
    for (const part of parts) {
      const others = holders.get(part);
      if (others === undefined) holders.set(part, [name]);
      else others.push(name);
    }
  }
  return holders;
}

/**
 * Returns `start` and all types that contain one of them, at any depth. Takes linear time. Does not recurse, because
 * types may be recursive or deeply nested.
 */
export function withHolders(start: Iterable<string>, holders: Holders): ReadonlySet<string> {
  const found = new Set(start);
  // Iterating a Set includes elements added during the loop.
  for (const name of found) for (const holder of holders.get(name) ?? []) found.add(holder);
  return found;
}
