import type { ResolvedType } from "../../model/types.ts";
import type { PlannedType } from "../../plan/plan.ts";

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
