import { type RoutedDeclaration, routedMethods, routeText, type Segment } from "../routes.ts";
import type { ReportExtra, Rule } from "../rule.ts";

/**
 * At most one route fits a request best. Routes of different services do not overlap, whatever their verbs are.
 * Bad: `GET /a/{x}/c` and `GET /a/b/{y}`. Good: `GET /a/b` and `GET /a/{x}`.
 */
export const routeOverlaps: Rule = (scope, report) => {
  const earlierRoutes = new RouteIndex();
  for (const later of routedMethods(scope)) {
    const { service, method, segments } = later;
    const candidates = earlierRoutes.candidates(segments);
    earlierRoutes.add(later);
    for (const earlier of candidates) {
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

/** Routes by their length and first segment, so that a large schema does not compare each with each. */
class RouteIndex {
  readonly #routes = new Map<string, RoutedDeclaration[]>();

  add(route: RoutedDeclaration): void {
    for (const key of [keyOf(route.segments), lengthKey(route.segments)]) {
      const list = this.#routes.get(key);
      if (list === undefined) this.#routes.set(key, [route]);
      else list.push(route);
    }
  }

  /** Returns the routes added so far that may overlap. */
  candidates(segments: readonly Segment[]): readonly RoutedDeclaration[] {
    const [first] = segments;
    if (first === undefined || !("text" in first)) return [...(this.#routes.get(lengthKey(segments)) ?? [])];
    const withParameter = this.#routes.get(`${segments.length} {}`) ?? [];
    return [...(this.#routes.get(keyOf(segments)) ?? []), ...withParameter];
  }
}

function lengthKey({ length }: readonly Segment[]): string {
  return String(length);
}

/** `2 pets`, or `2 {}` for a parameter. */
function keyOf(segments: readonly Segment[]): string {
  const [first] = segments;
  return `${segments.length} ${first !== undefined && "text" in first ? first.text : "{}"}`;
}
