import type { Constraints } from "../model/meta/read.ts";
import type { ResolvedType } from "../model/types.ts";
import type { Plan } from "./plan.ts";
import { TypeFinder } from "./type-finder.ts";

/** Every name that a field which is a secret or personal data has on the wire: `["email", "secret"]`. Sorted. */
export function markedFields(plan: Plan): readonly string[] {
  const finder = new TypeFinder(plan);
  const fields = plan.types.flatMap((type) => (type.kind === "struct" ? type.fields : []));
  const marked = fields.filter(
    ({ type, constraints }) => isMarked(constraints) || holdsMarked(type, finder, 0),
  );
  const names = marked.flatMap(({ wireName, aliases, twins }) => [wireName, ...aliases, ...twins]);
  return [...new Set(names)].sort();
}

export function isMarked({ secret, pii }: Constraints): boolean {
  return secret || pii;
}

/** Aliases may lead through each other. */
const levelsMax = 100;

/** By an alias on the way to what lists and maps hold. */
function holdsMarked(type: ResolvedType, finder: TypeFinder, level: number): boolean {
  if (level > levelsMax) return false;
  switch (type.kind) {
    case "alias": {
      const { constraints, type: target } = finder.alias(type.name);
      return isMarked(constraints) || holdsMarked(target, finder, level + 1);
    }
    case "list":
      return holdsMarked(type.element, finder, level + 1);
    case "map":
      return holdsMarked(type.value, finder, level + 1);
    default:
      return false;
  }
}
