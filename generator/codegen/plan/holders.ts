import type { ResolvedType } from "../../language/model/types.ts";
import type { PlannedType } from "./plan.ts";

export type Innermost = Exclude<ResolvedType, { readonly kind: "list" } | { readonly kind: "map" }>;

/** What a list of lists or a map of lists holds in the end. */
export function innermost(type: ResolvedType): Innermost {
  let at = type;
  while (at.kind === "list" || at.kind === "map") at = at.kind === "list" ? at.element : at.value;
  return at;
}

/** The types of a struct's fields, or the type that an alias stands for. */
export function memberTypes(type: PlannedType): readonly ResolvedType[] {
  if (type.kind === "struct") return type.fields.map((field) => field.type);
  return type.kind === "alias" ? [type.type] : [];
}

/** The types that values of a type directly hold, lists and maps seen through. */
export function heldTypes(type: PlannedType): readonly Innermost[] {
  return memberTypes(type).map(innermost);
}

/** A type and the names of those that it directly holds. */
export interface Holder {
  readonly name: string;
  readonly parts: readonly string[];
}

function holderOf(type: PlannedType): Holder {
  const parts: string[] = [];
  for (const part of heldTypes(type)) if (part.kind !== "unknown") parts.push(part.name);
  return { name: type.name, parts };
}

/** By a type's name, the names of the types that directly hold it. */
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

/** Types may go in circles and chains of them may be long: this is linear in the schema and does not recurse. */
export function withHolders(start: Iterable<string>, holders: Holders): ReadonlySet<string> {
  const found = new Set(start);
  // A set may grow while it is walked.
  for (const name of found) for (const holder of holders.get(name) ?? []) found.add(holder);
  return found;
}
