import type { Constraints } from "../../language/model/meta/read.ts";
import type { ResolvedType } from "../../language/model/types.ts";
import type { Plan, PlannedField, PlannedType } from "./plan.ts";
import { TypeFinder } from "./type-finder.ts";

/** Returns the wire names of all fields with secret or personal data, sorted: `["email", "secret"]`. */
export function markedFields(plan: Plan): readonly string[] {
  const finder = new TypeFinder(plan);
  return [...new Set(plan.types.flatMap((type) => markedNames(type, finder)))].sort();
}

function markedNames(type: PlannedType, finder: TypeFinder): readonly string[] {
  if (type.kind !== "struct") return [];
  const marked = type.fields.filter((field) => isMarkedField(field, finder));
  return marked.flatMap(({ wireName, aliases, twins }) => [wireName, ...aliases, ...twins]);
}

/** Whether a field is marked, or a type in it. */
export function isMarkedField({ constraints, type }: PlannedField, finder: TypeFinder): boolean {
  return isMarked(constraints) || containsMarked(type, finder, 0);
}

export function isMarked({ secret, pii }: Constraints): boolean {
  return secret || pii;
}

/** Maximum number of aliases in a chain, which may be circular. */
const aliasesMax = 100;

/** Whether an alias inside lists and maps is marked. `aliases`: the number of those around the type. */
function containsMarked(type: ResolvedType, finder: TypeFinder, aliases: number): boolean {
  if (aliases > aliasesMax) return false;
  switch (type.kind) {
    case "alias": {
      const { constraints, type: target } = finder.alias(type.name);
      return isMarked(constraints) || containsMarked(target, finder, aliases + 1);
    }
    case "list":
      return containsMarked(type.element, finder, aliases);
    case "map":
      return containsMarked(type.value, finder, aliases);
    default:
      return false;
  }
}
