import { withoutEscape } from "../../plan/names.ts";
import type { Plan, PlannedType } from "../../plan/plan.ts";
import { TypeFinder } from "../../plan/type-finder.ts";
import type { Schema, Views } from "./schema.ts";
import { typeSchema } from "./type-schema.ts";

/** Splits the types whose two schemas differ, and those that hold such a type. References of the document start with `root`. */
export function findViews(plan: Plan, root: string): Views {
  const { split, sharedSchemas } = findSplit(plan, root);
  return {
    root,
    int64: plan.int64,
    isSplit: (name) => split.has(name),
    // An escape is for TypeScript alone.
    nameOf: (name, side) => (split.has(name) ? `${withoutEscape(name)}.${side}` : withoutEscape(name)),
    sharedSchemas,
  };
}

interface Found {
  readonly split: ReadonlySet<string>;
  readonly sharedSchemas: ReadonlyMap<string, Schema>;
}

/** Both schemas of a type are sharedSchemas with the names of types that are not split: what is not split in the end keeps the one it has. */
function findSplit(plan: Plan, root: string): Found {
  const shared = plan.types.filter(({ inRequests, inResponses }) => inRequests && inResponses);
  const types = new TypeFinder(plan);
  const holders = new Map<string, string[]>();
  const open: string[] = [];
  const sharedSchemas = new Map<string, Schema>();
  for (const type of shared) {
    const schema = oneSchema(type, notedNames(holders, type, plan, root), types);
    if (schema === undefined) open.push(type.name);
    else sharedSchemas.set(type.name, schema);
  }
  const split = new Set<string>();
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (split.has(name)) continue;
    split.add(name);
    sharedSchemas.delete(name);
    open.push(...(holders.get(name) ?? []));
  }
  return { split, sharedSchemas };
}

/** Of a type that is the same on both sides, as long as no type is split. */
function oneSchema(type: PlannedType, views: Views, types: TypeFinder): Schema | undefined {
  const request = typeSchema(type, "request", views, types);
  const response = typeSchema(type, "response", views, types);
  return JSON.stringify(request) === JSON.stringify(response) ? request : undefined;
}

/** Names that are the same on both sides, and a note of who asks for them. */
function notedNames(
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
