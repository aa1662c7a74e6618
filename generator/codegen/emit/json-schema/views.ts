import { withoutEscape } from "../../plan/names.ts";
import type { Plan, PlannedType } from "../../plan/plan.ts";
import { TypeFinder } from "../../plan/type-finder.ts";
import type { Schema, Views } from "./schema.ts";
import { typeSchema } from "./type-schema.ts";

/** Finds types whose request and response schemas differ, and types that contain one. References start with `root`. */
export function findViews(plan: Plan, root: string): Views {
  const { split, sharedSchemas } = findSplit(plan, root);
  return {
    root,
    int64: plan.int64,
    isSplit: (name) => split.has(name),
    // The `$` of escaped names is for TypeScript only.
    nameOf: (name, side) => (split.has(name) ? `${withoutEscape(name)}.${side}` : withoutEscape(name)),
    sharedSchemas,
  };
}

interface Found {
  readonly split: ReadonlySet<string>;
  readonly sharedSchemas: ReadonlyMap<string, Schema>;
}

/** Builds both schemas of each type as if no type were split. Schemas of types that are not split can be reused. */
function findSplit(plan: Plan, root: string): Found {
  const shared = plan.types.filter(({ inRequests, inResponses }) => inRequests && inResponses);
  const types = new TypeFinder(plan);
  const holders = new Map<string, string[]>();
  const pending: string[] = [];
  const sharedSchemas = new Map<string, Schema>();
  for (const type of shared) {
    const schema = sharedSchema(type, viewsThatRecordHolders(holders, type, plan, root), types);
    if (schema === undefined) pending.push(type.name);
    else sharedSchemas.set(type.name, schema);
  }
  const split = new Set<string>();
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (split.has(name)) continue;
    split.add(name);
    sharedSchemas.delete(name);
    pending.push(...(holders.get(name) ?? []));
  }
  return { split, sharedSchemas };
}

/** Returns the schema of a type if it is equal on both sides and no type is split. */
function sharedSchema(type: PlannedType, views: Views, types: TypeFinder): Schema | undefined {
  const request = typeSchema(type, "request", views, types);
  const response = typeSchema(type, "response", views, types);
  return JSON.stringify(request) === JSON.stringify(response) ? request : undefined;
}

/** Returns equal names for both sides, and records which types refer to a name. */
function viewsThatRecordHolders(
  holders: Map<string, string[]>,
  holder: PlannedType,
  { int64 }: Plan,
  root: string,
): Views {
  return {
    root,
    int64,
    isSplit: () => false,
    nameOf(name) {
      const known = holders.get(name);
      if (known === undefined) holders.set(name, [holder.name]);
      else if (known.at(-1) !== holder.name) known.push(holder.name);
      return withoutEscape(name);
    },
  };
}
