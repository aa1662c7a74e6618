import { nearest } from "../../diagnostics/suggest.ts";
import type { Span } from "../../source/span.ts";
import type { ServiceNode } from "../../syntax/tree.ts";
import { typeText } from "../../syntax/type-text.ts";
import {
  hasValidPaths,
  isRouted,
  isScalar,
  parameterSpan,
  type RoutedMethod,
  requestFields,
  segmentsOf,
} from "../routes.ts";
import type { Report, Rule } from "../rule.ts";
import type { Scope } from "../scope.ts";

/**
 * Each parameter of a path names one required field of the request, which is a scalar.
 * Bad: `- Get(id?: uint64)` with `GET /{id}`, or `GET /{petId}`. Good: `- Get(id: uint64)` with `GET /{id}`.
 */
export const routeParameters: Rule = (scope, report) => {
  for (const node of scope.file.declarations) {
    if (node.kind !== "service") continue;
    for (const method of node.methods)
      if (isRouted(method) && hasValidPaths(node, method)) checkMethod(node, method, scope, report);
  }
};

function checkMethod(service: ServiceNode, method: RoutedMethod, scope: Scope, report: Report): void {
  const fields = requestFields(method.input, scope);
  const seen = new Set<string>();
  for (const { name, span } of parametersOf(service, method)) {
    const parameters = { name, method: method.name.text };
    if (seen.has(name)) report("route-parameter-twice", parameters, span);
    else if (fields !== undefined) {
      const field = fields.find((one) => one.name === name);
      if (field === undefined) {
        const near = nearest(
          name,
          fields.map((one) => one.name),
        );
        const advice = near === undefined ? {} : { advice: `Did you mean "{${near.word}}"?` };
        report("route-parameter-unknown", parameters, span, advice);
      } else if (field.optional) report("route-parameter-optional", parameters, span);
      else if (!isScalar(field.type, scope))
        report("route-parameter-type", { ...parameters, type: typeText(field.type) }, span);
    }
    seen.add(name);
  }
}

/** The parameters of the service's path and the own one. One of the service is reported at the route that lacks its field. */
function parametersOf(
  { path }: ServiceNode,
  { route }: RoutedMethod,
): readonly { readonly name: string; readonly span: Span }[] {
  const named = (text: string, spanOf: (name: string) => Span): { name: string; span: Span }[] =>
    segmentsOf(text).flatMap((segment) =>
      "parameter" in segment ? [{ name: segment.parameter, span: spanOf(segment.parameter) }] : [],
    );
  return [
    ...named(path?.value ?? "", () => route.span),
    ...named(route.path.value, (name) => parameterSpan(route.path, name)),
  ];
}
