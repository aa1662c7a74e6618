import { type RoutedDeclaration, routedMethods, routeText, type Segment } from "../routes.ts";
import type { ReportExtra, Rule } from "../rule.ts";

/**
 * At most one route fits a request best. Routes of different services do not overlap, whatever their verbs are.
 * Bad: `GET /a/{x}/c` and `GET /a/b/{y}`. Good: `GET /a/b` and `GET /a/{x}`.
 */
export const routeOverlaps: Rule = (scope, report) => {
  const routes = routedMethods(scope);
  for (const [index, later] of routes.entries()) {
    const { service, method, segments } = later;
    for (const earlier of routes.slice(0, index)) {
      const relation = compare(earlier.segments, segments);
      if (relation === undefined) continue;
      const parameters = { route: textOf(later), other: textOf(earlier), owner: nameOf(earlier) };
      const extra = { ...notesOf(earlier), file: service.file };
      if (earlier.service !== service) report("route-of-two-services", parameters, method.route.span, extra);
      else if (earlier.method.route.verb.text !== method.route.verb.text) continue;
      else if (relation === "same") report("route-twice", parameters, method.route.span, extra);
      else if (relation === "ambiguous") report("route-ambiguous", parameters, method.route.span, extra);
      else continue;
      // One finding for each route is enough.
      break;
    }
  }
};

function textOf({ service, method }: RoutedDeclaration): string {
  return routeText(service.node, method);
}

function nameOf({ service, method }: RoutedDeclaration): string {
  return `${service.node.name.value}.${method.name.text}`;
}

function notesOf({ service, method }: RoutedDeclaration): ReportExtra {
  const at = { file: service.file.source, span: method.route.span };
  return { notes: [{ message: "The other route is here.", at }] };
}

/** How two paths relate that a request can match both; undefined if none can. */
function compare(
  one: readonly Segment[],
  other: readonly Segment[],
): "same" | "ordered" | "ambiguous" | undefined {
  if (one.length !== other.length) return undefined;
  let isOneNarrower = false;
  let isOtherNarrower = false;
  for (const [index, segment] of one.entries()) {
    const counterpart = other[index] as Segment;
    const isText = "text" in segment;
    const isOtherText = "text" in counterpart;
    if (isText && isOtherText && segment.text !== counterpart.text) return undefined;
    isOneNarrower ||= isText && !isOtherText;
    isOtherNarrower ||= isOtherText && !isText;
  }
  if (isOneNarrower && isOtherNarrower) return "ambiguous";
  return isOneNarrower || isOtherNarrower ? "ordered" : "same";
}
