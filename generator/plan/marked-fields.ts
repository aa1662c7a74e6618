import type { ResolvedType } from "../model/types.ts";
import type { Plan, PlannedField } from "./plan.ts";
import { TypeFinder } from "./type-finder.ts";

/** Every name that a field which is a secret or personal data has on the wire: `["email", "secret"]`. Sorted. */
export function markedFields(plan: Plan): readonly string[] {
  const finder = new TypeFinder(plan);
  const fields = plan.types.flatMap((type) => (type.kind === "struct" ? type.fields : []));
  const marked = fields.filter((field) => isMarked(field, finder));
  const names = marked.flatMap(({ wireName, aliases, twins }) => [wireName, ...aliases, ...twins]);
  return [...new Set(names)].sort();
}

/** By itself, or by the alias of what its lists and maps hold. */
function isMarked({ type, constraints }: PlannedField, finder: TypeFinder): boolean {
  if (constraints.secret || constraints.pii) return true;
  let at: ResolvedType = type;
  while (at.kind === "list" || at.kind === "map") {
    at = at.kind === "list" ? at.element : at.value;
    if (at.kind !== "alias") continue;
    const { secret, pii } = finder.alias(at.name).constraints;
    if (secret || pii) return true;
  }
  return false;
}
