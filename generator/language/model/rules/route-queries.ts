import { bodilessVerbs } from "../../syntax/route-verbs.ts";
import type { ServiceNode } from "../../syntax/tree.ts";
import { typeText } from "../../syntax/type-text.ts";
import {
  hasValidPaths,
  isRouted,
  isScalar,
  isScalarList,
  type RoutedMethod,
  requestFields,
  routePath,
  segmentsOf,
} from "../routes.ts";
import type { Report, Rule } from "../rule.ts";
import type { Scope } from "../scope.ts";
import { transfersFile } from "./route-placement.ts";

/**
 * A route without a body sends all fields that are not in its path as a query, so they are scalars or lists of them.
 * Bad: `- List(filter: Filter)` with `GET /`. Good: `- List(tags: []string)`, or `POST /`.
 */
export const routeQueries: Rule = (scope, report) => {
  for (const node of scope.file.declarations) {
    if (node.kind !== "service") continue;
    for (const method of node.methods)
      if (
        isRouted(method) &&
        bodilessVerbs.has(method.route.verb.text) &&
        hasValidPaths(node, method) &&
        !transfersFile(method, scope)
      )
        checkMethod(node, method, scope, report);
  }
};

function checkMethod(service: ServiceNode, method: RoutedMethod, scope: Scope, report: Report): void {
  const inPath = new Set(
    segmentsOf(routePath(service, method)).flatMap((one) => ("parameter" in one ? [one.parameter] : [])),
  );
  const { verb, span } = method.route;
  for (const { name, type } of requestFields(method.input, scope) ?? []) {
    if (inPath.has(name) || isScalar(type, scope) || isScalarList(type, scope)) continue;
    const parameters = { name, method: method.name.text, verb: verb.text, type: typeText(type) };
    report("route-query-type", parameters, span);
  }
}
