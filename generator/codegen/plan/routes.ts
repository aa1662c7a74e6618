import type { MethodModel, Model } from "../../language/model/model.ts";
import { joinedPath, segmentsOf } from "../../language/model/routes.ts";
import { bodilessVerbs } from "../../language/syntax/route-verbs.ts";
import { isMarkedField } from "./marked-fields.ts";
import type { PlannedField, PlannedRoute, RouteField } from "./plan.ts";
import type { TypeFinder } from "./type-finder.ts";

/** A route before its fields are known. */
export type Route = Pick<PlannedRoute, "verb" | "path">;

export function routeOf({ verb, path }: NonNullable<MethodModel["route"]>, { basepath }: Model): Route {
  return { verb, path: joinedPath(basepath, path) };
}

/** Finds the fields of a route in the request of its method. */
export function planRoute({ verb, path }: Route, requestType: string, finder: TypeFinder): PlannedRoute {
  const { fields } = finder.struct(requestType);
  const names = segmentsOf(path).flatMap((segment) => ("parameter" in segment ? [segment.parameter] : []));
  const parameters = names.flatMap((name) => fields.filter(({ wireName }) => wireName === name));
  const others = fields.filter(({ wireName }) => !names.includes(wireName));
  const planField = (field: PlannedField): RouteField => routeField(field, finder);
  const route = { verb, path, parameters: parameters.map(planField) };
  return bodilessVerbs.has(verb) ? { ...route, query: others.map(planField) } : route;
}

function routeField(field: PlannedField, finder: TypeFinder): RouteField {
  const { wireName, type, optional, nullable } = field;
  const target = finder.unaliased(type);
  const value = target.kind === "list" ? finder.unaliased(target.element) : target;
  return {
    name: wireName,
    type: value.kind === "core" ? value.name : "string",
    isList: target.kind === "list",
    isOptional: optional || nullable || field.default !== undefined,
    isMarked: isMarkedField(field, finder),
  };
}
