import { withoutEscape } from "../../plan/names.ts";
import type { Plan, PlannedType } from "../../plan/plan.ts";
import { TypeFinder } from "../../plan/type-finder.ts";
import type { Views } from "./schema.ts";
import { typeSchema } from "./type-schema.ts";

/** Splits the types whose two schemas differ, and those that hold such a type. References of the document start with `root`. */
export function findViews(plan: Plan, root: string): Views {
  const split = splitBy.get(plan) ?? findSplit(plan);
  splitBy.set(plan, split);
  return {
    root,
    int64: plan.int64,
    isSplit: (name) => split.has(name),
    // An escape is for TypeScript alone.
    nameOf: (name, side) => (split.has(name) ? `${withoutEscape(name)}.${side}` : withoutEscape(name)),
  };
}

/** Two documents ask for them. */
const splitBy = new WeakMap<Plan, ReadonlySet<string>>();

function findSplit(plan: Plan): ReadonlySet<string> {
  const shared = plan.types.filter(({ inRequests, inResponses }) => inRequests && inResponses);
  const types = new TypeFinder(plan);
  const holders = new Map<string, string[]>();
  const open: string[] = [];
  for (const type of shared) {
    const noted = notedNames(holders, type, plan);
    const [request, response] = (["request", "response"] as const).map((side) =>
      JSON.stringify(typeSchema(type, side, noted, types)),
    );
    if (request !== response) open.push(type.name);
  }
  const split = new Set<string>();
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (split.has(name)) continue;
    split.add(name);
    open.push(...(holders.get(name) ?? []));
  }
  return split;
}

/** Names that are the same on both sides, and a note of who asks for them. */
function notedNames(holders: Map<string, string[]>, holder: PlannedType, { int64 }: Plan): Views {
  return {
    root: "",
    int64,
    isSplit: () => false,
    nameOf(name) {
      const known = holders.get(name);
      if (known === undefined) holders.set(name, [holder.name]);
      else if (known.at(-1) !== holder.name) known.push(holder.name);
      return name;
    },
  };
}
