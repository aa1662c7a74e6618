import { type RoutedDeclaration, routedMethods, routeText } from "../routes.ts";
import type { Rule } from "../rule.ts";

/**
 * No route can match the default path of a method, `/Service/Method`, whatever its verb is.
 * Bad: `GET /{kind}/{id}`, which matches `/Pets/Get`. Good: `GET /pets/{id}`.
 */
export const routeDefaultPaths: Rule = (scope, report) => {
  const routes = routedMethods(scope);
  if (routes.length === 0) return;
  const defaults = [...new Set(scope.services)].flatMap(({ node }) =>
    node.methods.map(({ name }) => [...node.name.value.split("/"), name.text]),
  );
  for (const route of routes) {
    const taken = defaults.find((path) => matches(route, path));
    if (taken === undefined) continue;
    const { service, method } = route;
    const parameters = { route: routeText(service.node, method), path: `/${taken.join("/")}` };
    report("route-default-path", parameters, method.route.span, { file: service.file });
  }
};

function matches({ segments }: RoutedDeclaration, path: readonly string[]): boolean {
  return (
    segments.length === path.length &&
    segments.every((segment, index) => "parameter" in segment || segment.text === path[index])
  );
}
