import type { Side } from "../../plan/constraints.ts";
import type { Plan, PlannedType } from "../../plan/plan.ts";
import { TypeFinder } from "../../plan/type-finder.ts";
import type { Schema, Views } from "./schema.ts";
import { typeSchema } from "./type-schema.ts";

/** Returns the definitions of all types by name: two for a type whose request and response forms differ. */
export function definitionsOf(plan: Plan, views: Views): Readonly<Record<string, Schema>> {
  const types = new TypeFinder(plan);
  const definitions = plan.types.flatMap((type) =>
    sidesOf(type, views).map((side) => [views.nameOf(type.name, side), typeSchema(type, side, views, types)]),
  );
  return Object.fromEntries(definitions);
}

function sidesOf({ name, inRequests, inResponses }: PlannedType, views: Views): readonly Side[] {
  if (inRequests && inResponses && views.isSplit(name)) return ["request", "response"];
  return inRequests ? ["request"] : ["response"];
}
