import type { Constraints } from "../../language/model/meta/read.ts";
import type { MapKeyType, ResolvedType } from "../../language/model/types.ts";
import type { Plan, PlannedField, PlannedType, TypeFinder } from "./plan.ts";

/** Returns the wire names of all fields with secret or personal data, sorted: `["email", "secret"]`. */
export function markedFields(plan: Plan): readonly string[] {
  return [...new Set(plan.types.flatMap((type) => markedNames(type, plan.finder)))].sort();
}

function markedNames(type: PlannedType, finder: TypeFinder): readonly string[] {
  if (type.kind !== "struct") return [];
  const marked = type.fields.filter((field) => isMarkedField(field, finder));
  return marked.flatMap(({ wireName, aliases, twins }) => [wireName, ...aliases, ...twins]);
}

/** Whether a field is marked, or a type in it. `isMark`: which marks count. */
export function isMarkedField(
  { constraints, type }: Pick<PlannedField, "constraints" | "type">,
  finder: TypeFinder,
  isMark: (constraints: Constraints) => boolean = isMarked,
): boolean {
  return isMark(constraints) || containsMark(type, { finder, isMark }, 0);
}

export function isMarked({ secret, pii }: Constraints): boolean {
  return secret || pii;
}

/** Maximum number of aliases in a chain, which may be circular. */
const aliasesMax = 100;

interface Search {
  readonly finder: TypeFinder;
  readonly isMark: (constraints: Constraints) => boolean;
}

/** Whether an alias inside lists and maps is marked. `aliases`: the number of those around the type. */
function containsMark(type: ResolvedType | MapKeyType, search: Search, aliases: number): boolean {
  if (aliases > aliasesMax) return false;
  switch (type.kind) {
    case "alias": {
      const { constraints, type: target } = search.finder.alias(type.name);
      return search.isMark(constraints) || containsMark(target, search, aliases + 1);
    }
    case "list":
      return containsMark(type.element, search, aliases);
    case "map":
      return containsMark(type.key, search, aliases) || containsMark(type.value, search, aliases);
    default:
      return false;
  }
}
