import { type RoutedDeclaration, routedMethods, routeText, type Segment } from "../routes.ts";
import type { Rule } from "../rule.ts";
import type { Scope } from "../scope.ts";

/**
 * No route can match the default path of a method, `/Service/Method`, whatever its verb is.
 * Bad: `GET /{kind}/{id}`, which matches `/Pets/Get`. Good: `GET /pets/{id}`.
 */
export const routeDefaultPaths: Rule = (scope, report) => {
  const routes = routedMethods(scope);
  if (routes.length === 0) return;
  const defaults = defaultPaths(scope);
  for (const route of routes) {
    const { service, method, segments } = route;
    const taken = defaults.get(keyOf(segments))?.find((path) => matches(route, path));
    if (taken === undefined) continue;
    const parameters = { route: routeText(service.node, method), path: `/${taken.join("/")}` };
    report("route-default-path", parameters, method.route.span, { file: service.file });
  }
};

/** Returns the default paths by length, and by length and first segment, so that a large schema is not compared with itself. */
function defaultPaths({ services }: Scope): ReadonlyMap<string, readonly (readonly string[])[]> {
  const found = new Map<string, (readonly string[])[]>();
  for (const { node } of new Set(services)) {
    const prefix = node.name.value.split("/");
    for (const { name } of node.methods) {
      const path = [...prefix, name.text];
      for (const key of [`${path.length}`, `${path.length} ${path[0]}`]) {
        const list = found.get(key);
        if (list === undefined) found.set(key, [path]);
        else list.push(path);
      }
    }
  }
  return found;
}

function keyOf(segments: readonly Segment[]): string {
  const [first] = segments;
  const isText = first !== undefined && "text" in first;
  return isText ? `${segments.length} ${first.text}` : `${segments.length}`;
}

function matches({ segments }: RoutedDeclaration, path: readonly string[]): boolean {
  return (
    segments.length === path.length &&
    segments.every((segment, index) => "parameter" in segment || segment.text === path[index])
  );
}
