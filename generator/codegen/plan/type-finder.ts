import { isBytes, type ResolvedType, type TypeReference } from "../../language/model/types.ts";
import type { PlannedAlias, PlannedEnum, PlannedStruct, PlannedType } from "./plan.ts";

/** A type that is not an alias. */
export type UnaliasedType =
  | Exclude<ResolvedType, TypeReference>
  | { readonly kind: "struct" | "enum"; readonly name: string };

type EmptyText = "[]" | "{}" | '""';

/** Finds planned types by name. */
export class TypeFinder {
  readonly #byName: ReadonlyMap<string, PlannedType>;

  constructor(types: readonly PlannedType[]) {
    this.#byName = new Map(types.map((type) => [type.name, type]));
  }

  struct(name: string): PlannedStruct {
    return this.#find(name, "struct") as PlannedStruct;
  }

  enum(name: string): PlannedEnum {
    return this.#find(name, "enum") as PlannedEnum;
  }

  alias(name: string): PlannedAlias {
    return this.#find(name, "alias") as PlannedAlias;
  }

  /** Resolves aliases. A circular alias, which the rules reject, becomes `unknown`. */
  unaliased(type: ResolvedType): UnaliasedType {
    const seen = new Set<string>();
    let at = type;
    while (at.kind === "alias") {
      if (seen.has(at.name)) return { kind: "unknown" };
      seen.add(at.name);
      at = this.alias(at.name).type;
    }
    return at as UnaliasedType;
  }

  /** Returns the JSON of an empty list, map or byte string, for which Go writes `null`. Undefined for other types. */
  emptyText(type: ResolvedType): EmptyText | undefined {
    const resolved = this.unaliased(type);
    if (resolved.kind === "map") return "{}";
    if (resolved.kind !== "list") return undefined;
    return isBytes(resolved) ? '""' : "[]";
  }

  #find(name: string, kind: TypeReference["kind"]): PlannedType {
    const type = this.#byName.get(name);
    if (type?.kind !== kind) throw new Error(`no ${kind} "${name}" in the plan`);
    return type;
  }
}

/** Returns the names of all enums, and of the aliases of an enum. */
export function enumNames(types: readonly PlannedType[]): ReadonlySet<string> {
  const found = new Set<string>();
  const aliases = new Map<string, string[]>();
  for (const type of types) {
    if (type.kind === "enum") found.add(type.name);
    if (type.kind !== "alias" || (type.type.kind !== "enum" && type.type.kind !== "alias")) continue;
    const { name } = type.type;
    aliases.set(name, [...(aliases.get(name) ?? []), type.name]);
  }
  // Iterating a Set includes elements added during the loop.
  for (const name of found) for (const alias of aliases.get(name) ?? []) found.add(alias);
  return found;
}
