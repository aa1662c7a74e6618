import type { ResolvedType } from "../model/types.ts";
import type { PlannedType } from "./plan.ts";

export type Innermost = Exclude<ResolvedType, { readonly kind: "list" } | { readonly kind: "map" }>;

/** What a list of lists or a map of lists holds in the end. */
export function innermost(type: ResolvedType): Innermost {
  let at = type;
  while (at.kind === "list" || at.kind === "map") at = at.kind === "list" ? at.element : at.value;
  return at;
}

/** The types that values of a type directly hold, lists and maps seen through. */
export function partsOf(type: PlannedType): readonly Innermost[] {
  if (type.kind === "struct") return type.fields.map((field) => innermost(field.type));
  return type.kind === "alias" ? [innermost(type.type)] : [];
}

/** A type and the names of those that it directly holds. */
export interface Holder {
  readonly name: string;
  readonly parts: readonly string[];
}

function holderOf(type: PlannedType): Holder {
  const parts: string[] = [];
  for (const part of partsOf(type)) if (part.kind !== "unknown") parts.push(part.name);
  return { name: type.name, parts };
}

type HoldersOf = ReadonlyMap<string, readonly string[]>;

/** Types never change, and are looked at from many sides. */
const known = new WeakMap<readonly PlannedType[], HoldersOf>();

/** From some types, be they core types, up to all that hold them. */
export function withHolders(types: readonly PlannedType[], start: Iterable<string>): ReadonlySet<string> {
  const holders = known.get(types) ?? holdersOf(types.map(holderOf));
  known.set(types, holders);
  return upFrom(start, holders);
}

/** The same from types that spell out a place of a kind too: a field, or what an alias stands for. */
export function holdersWith(
  types: readonly PlannedType[],
  start: readonly string[],
  counts: (type: ResolvedType) => boolean,
): ReadonlySet<string> {
  const spelling = types.filter((type) =>
    type.kind === "struct"
      ? type.fields.some((field) => counts(field.type))
      : type.kind === "alias" && counts(type.type),
  );
  return withHolders(types, [...start, ...spelling.map(({ name }) => name)]);
}

/** What holds what, by its name. */
export function holdersOf(types: readonly Holder[]): HoldersOf {
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
export function upFrom(start: Iterable<string>, holders: HoldersOf): ReadonlySet<string> {
  const found = new Set(start);
  // A set may grow while it is walked.
  for (const name of found) for (const holder of holders.get(name) ?? []) found.add(holder);
  return found;
}
