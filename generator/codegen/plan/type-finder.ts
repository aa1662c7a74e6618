import { isBytes, type ResolvedType, type TypeReference } from "../../language/model/types.ts";
import type { Plan, PlannedAlias, PlannedEnum, PlannedStruct, PlannedType } from "./plan.ts";

/** A type once its aliases are seen through. */
export type UnaliasedType =
  | Exclude<ResolvedType, TypeReference>
  | { readonly kind: "struct" | "enum"; readonly name: string };

export type EmptyText = "[]" | "{}" | '""';

/** Planned types by name. */
export class TypeFinder {
  readonly #byName: ReadonlyMap<string, PlannedType>;

  constructor({ types }: Pick<Plan, "types">) {
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

  /** What an alias stands for in the end. An alias of nothing but itself, which the rules refuse, is anything. */
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

  /** The JSON text that `null` stands for where the type is a list, a map or bytes: Go writes an empty one that way. */
  emptyText(type: ResolvedType): EmptyText | undefined {
    const end = this.unaliased(type);
    if (end.kind === "map") return "{}";
    if (end.kind !== "list") return undefined;
    return isBytes(end) ? '""' : "[]";
  }

  #find(name: string, kind: TypeReference["kind"]): PlannedType {
    const type = this.#byName.get(name);
    if (type?.kind !== kind) throw new Error(`no ${kind} "${name}" in the plan`);
    return type;
  }
}
