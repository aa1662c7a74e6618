import { nearest } from "../../diagnostics/suggest.ts";
import type { Span } from "../../source/span.ts";
import { bodilessVerbs } from "../../syntax/route-verbs.ts";
import type { FieldNode, SchemaFile, ServiceNode, Text } from "../../syntax/tree.ts";
import { typeText } from "../../syntax/type-text.ts";
import { conditionLines } from "../conditions.ts";
import { isFileOutput, takesFile } from "../files.ts";
import { groupLine } from "../groups.ts";
import { readCondition } from "../meta/keys.ts";
import { constraintsOf, linesFor } from "../meta/read.ts";
import {
  boundField,
  faultOfPath,
  hasValidPaths,
  isRouted,
  isScalar,
  isScalarList,
  parameterSpan,
  parametersIn,
  type RoutedDeclaration,
  type RoutedMethod,
  requestFields,
  routedMethods,
  routePath,
  routeText,
  type Segment,
  segmentsOf,
} from "../routes.ts";
import type { Report, ReportExtra, Rule } from "../rule.ts";
import type { Scope } from "../scope.ts";
import { headerOf } from "./files.ts";

/**
 * A method that streams or transfers a file has no route: both need their own form of the call.
 * Bad: `- Watch() => stream (pet: Pet)` with `GET /pets`. Good: the method without a route.
 */
export const routePlacement: Rule = (scope, report) => {
  for (const { method } of ownRoutes(scope)) {
    const { name, input, output, route } = method;
    const parameters = { method: name.text };
    if (input.stream || output.stream) report("route-of-stream", parameters, route.span);
    else if (transfersFile(method, scope)) report("route-of-file", parameters, route.span);
  }
};

/** Yields the methods with routes of the checked file. */
function* ownRoutes({
  file,
}: Scope): Generator<{ readonly service: ServiceNode; readonly method: RoutedMethod }> {
  for (const service of file.declarations) {
    if (service.kind !== "service") continue;
    for (const method of service.methods) if (isRouted(method)) yield { service, method };
  }
}

/** Whether a method receives or returns a file. */
function transfersFile(method: RoutedMethod, scope: Scope): boolean {
  return isFileOutput(method.output, scope) || takesFile(method, scope);
}

/**
 * The path of a service or a route starts with "/", and each of its segments is a plain text or a parameter.
 * Clients remove the segments "." and "..".
 * Bad: `GET pets`, `GET /pets/pet-{id}`, `GET /pets/./{id}`. Good: `GET /pets/{id}`.
 */
export const routePaths: Rule = (scope, report) => {
  for (const node of scope.file.declarations)
    if (node.kind === "service" && node.path !== undefined)
      checkPath(`The path of "${node.name.value}"`, node.path, scope.file, report);
  for (const { method } of ownRoutes(scope))
    checkPath(`The route of "${method.name.text}"`, method.route.path, scope.file, report);
};

function checkPath(what: string, { value, span }: Text, file: SchemaFile, report: Report): void {
  const reason = faultOfPath(value);
  if (reason !== undefined) report("route-path", { what, reason }, span, () => withSlash(value, span, file));
  checkDots(what, { value, span }, report);
}

function checkDots(what: string, { value, span }: Pick<Text, "value" | "span">, report: Report): void {
  const segment = value.split("/").find((part) => dots.test(part));
  if (segment !== undefined) report("route-dots", { what, segment }, span);
}

/** Clients decode such a segment before they remove it. */
const dots = /^(?:\.|%2e){1,2}$/i;

/** Adds the slash at the start. */
function withSlash(value: string, span: Text["span"], { format, source: file }: SchemaFile): ReportExtra {
  if (format !== "ridl" || value.startsWith("/") || faultOfPath(`/${value}`) !== undefined) return {};
  const edits = [{ span: { start: span.start, end: span.start }, text: "/" }];
  return { suggestion: { title: 'Add "/"', file, edits } };
}

/**
 * No segment of the basepath is "." or "..". It comes before every route, so it consists of plain segments if there is
 * one.
 * Bad: `basepath = /rpc/../v1`, `basepath = /a@b` and a route. Good: `basepath = /rpc`.
 */
export const routeBasepath: Rule = (scope, report) => {
  const basepath = headerOf(scope, "basepath")?.value;
  if (basepath === undefined) return;
  checkDots("The basepath", basepath, report);
  if (!scope.services.some(({ node }) => node.methods.some(isRouted))) return;
  const value = `/${basepath.value.replace(/^\//, "")}`;
  const reason = /[{}]/.test(value) ? "must not have parameters" : faultOfPath(value);
  if (reason !== undefined)
    report("route-path", { what: "The basepath of a schema with routes", reason }, basepath.span);
};

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
    const taken = defaults.get(defaultKeyOf(segments))?.find((path) => matches(route, path));
    if (taken === undefined) continue;
    const parameters = { route: routeText(service.node, method), path: `/${taken.join("/")}` };
    report("route-default-path", parameters, method.route.span, { file: service.file });
  }
};

/** Returns the default paths by length, and by length and first segment, so that a large schema is not compared with itself. */
function defaultPaths({ services }: Scope): ReadonlyMap<string, readonly (readonly string[])[]> {
  const found = new Map<string, (readonly string[])[]>();
  for (const { node } of new Set(services)) {
    for (const { name } of node.methods) {
      // Names may contain slashes. A path has no empty segments.
      const path = `${node.name.value}/${name.text}`.split("/").filter((segment) => segment !== "");
      for (const key of [`${path.length}`, `${path.length} ${path[0]}`]) {
        const list = found.get(key);
        if (list === undefined) found.set(key, [path]);
        else list.push(path);
      }
    }
  }
  return found;
}

function defaultKeyOf(segments: readonly Segment[]): string {
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

/**
 * Each parameter of a path names one required field of the request, which is a scalar.
 * Bad: `- Get(id?: uint64)` with `GET /{id}`, or `GET /{petId}`. Good: `- Get(id: uint64)` with `GET /{id}`.
 */
export const routeParameters: Rule = (scope, report) => {
  for (const { service, method } of ownRoutes(scope))
    if (hasValidPaths(service, method)) checkParameters(service, method, scope, report);
};

function checkParameters(service: ServiceNode, method: RoutedMethod, scope: Scope, report: Report): void {
  const fields = requestFields(method.input, scope);
  const seen = new Set<string>();
  for (const { name, span } of parametersOf(service, method)) {
    const parameters = { name, method: method.name.text };
    if (seen.has(name)) report("route-parameter-twice", parameters, span);
    else if (fields !== undefined) {
      const field = boundField(name, fields);
      if (field === undefined) {
        const names = fields.map(({ boundName }) => boundName);
        const near = nearest(name, names);
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

/**
 * A route without a body sends all fields that are not in its path as a query, so they are scalars or lists of them.
 * A query has no text for an empty list and for null, so a list that must be set is never empty, and no field needs null.
 * Bad: `- List(filter: Filter)` with `GET /`. Good: `- List(tags: []string)`, or `POST /`.
 */
export const routeQueries: Rule = (scope, report) => {
  for (const { service, method } of ownRoutes(scope)) {
    const isQuery = bodilessVerbs.has(method.route.verb.text);
    if (isQuery && hasValidPaths(service, method) && !transfersFile(method, scope))
      checkQuery(service, method, scope, report);
  }
};

function checkQuery(service: ServiceNode, method: RoutedMethod, scope: Scope, report: Report): void {
  const inPath = parametersIn(routePath(service, method));
  const { verb, span } = method.route;
  for (const { name, boundName, type, node } of requestFields(method.input, scope) ?? []) {
    if (inPath.has(boundName)) continue;
    const isList = isScalarList(type, scope);
    if (isList || isScalar(type, scope)) {
      const warn = (value: string, effect: string, advice: string): void =>
        report("route-query-absent", { method: method.name.text, value, effect }, span, { advice });
      const lines = linesFor(node?.meta ?? [], type, scope);
      const { minItems = 0, nullable } = constraintsOf(lines);
      const effect = isList && Number(minItems) === 0 ? node && effectOfEmpty(node) : undefined;
      if (effect !== undefined)
        warn(`an empty "${name}"`, effect, "Require an item with minItems, or use POST.");
      if (nullable === "always")
        warn(`null of "${name}"`, "so the server cannot tell them apart", "Use POST, PUT or PATCH.");
      continue;
    }
    const parameters = { name, method: method.name.text, verb: verb.text, type: typeText(type) };
    report("route-query-type", parameters, span);
  }
}

/** Returns what is wrong if a list is absent that must be set, such as `so the group "by" has no field`. */
function effectOfEmpty(node: FieldNode): string | undefined {
  const group = groupLine(node)?.value.value;
  if (group !== undefined) return `so the group "${group}" has no field`;
  const required = conditionLines(node).find(({ value }) => !readCondition(value.value).isOptional);
  return required && `but "${required.value.value}" requires a value`;
}

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
