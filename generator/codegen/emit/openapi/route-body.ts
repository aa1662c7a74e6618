/** Bodies of methods with routes: the fields that are neither in the path nor in the query. */
import type { Plan, PlannedBody, PlannedRoute, PlannedStruct } from "../../plan/plan.ts";
import type { TypeFinder } from "../../plan/type-finder.ts";
import { reference, type Schema, type Views } from "../json-schema/schema.ts";
import { typeSchema } from "../json-schema/type-schema.ts";

/**
 * Returns a plan in which the request types of routed methods describe their bodies. Omits those of methods without a
 * body. Structs of the schema stay the same, because they may have other uses.
 */
export function withBodyTypes(plan: Plan): Plan {
  const routes = new Map<string, PlannedRoute>();
  for (const { request, route } of plan.services.flatMap(({ methods }) => methods))
    if (request.isOwn && route !== undefined) routes.set(request.typeName, route);
  if (routes.size === 0) return plan;
  const types = plan.types.flatMap((type) => {
    const route = routes.get(type.name);
    if (type.kind !== "struct" || route === undefined) return [type];
    return route.query === undefined ? [withoutPathFields(type, route)] : [];
  });
  return { ...plan, types };
}

/** Returns the schema of a body: a reference if a definition describes it. */
export function routeBodySchema(
  { typeName, isOwn }: PlannedBody,
  route: PlannedRoute,
  views: Views,
  types: TypeFinder,
): Schema {
  if (isOwn || route.parameters.length === 0) return reference(typeName, "request", views);
  const struct = withoutPathFields(types.struct(typeName), route);
  return typeSchema(struct, "request", views, types);
}

export function withoutPathFields(struct: PlannedStruct, { parameters }: PlannedRoute): PlannedStruct {
  const names = new Set(parameters.map(({ name }) => name));
  return { ...struct, fields: struct.fields.filter(({ wireName }) => !names.has(wireName)) };
}
