import { withHolders } from "../../plan/holders.ts";
import { withoutEscape } from "../../plan/names.ts";
import type { Plan } from "../../plan/plan.ts";
import { TypeFinder } from "../../plan/type-finder.ts";
import type { Views } from "./schema.ts";
import { differsBySide } from "./type-schema.ts";

/** Finds types whose request and response schemas differ, and types that contain one. References start with `root`. */
export function findViews(plan: Plan, { root, isCanonical }: Pick<Views, "root" | "isCanonical">): Views {
  const { int64 } = plan;
  const oneName: Views = { root, int64, isCanonical, isSplit: () => false, nameOf: withoutEscape };
  const types = new TypeFinder(plan);
  const shared = plan.types.filter(({ inRequests, inResponses }) => inRequests && inResponses);
  const differing = shared.filter((type) => differsBySide(type, oneName, types));
  const differingOrHolding = withHolders(
    differing.map(({ name }) => name),
    plan.facts.holders,
  );
  const split = new Set(shared.map(({ name }) => name).filter((name) => differingOrHolding.has(name)));
  return {
    ...oneName,
    isSplit: (name) => split.has(name),
    // The `$` of escaped names is for TypeScript only.
    nameOf: (name, side) => (split.has(name) ? `${withoutEscape(name)}.${side}` : withoutEscape(name)),
  };
}
