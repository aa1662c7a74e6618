/** Routes of methods: their templates, and the request fields that their parameters name. */
import type { Span } from "../source/span.ts";
import { bodilessVerbs } from "../syntax/route-verbs.ts";
import type {
  ArgumentsNode,
  FieldNode,
  MethodNode,
  RouteNode,
  ServiceNode,
  Text,
  TypeNode,
} from "../syntax/tree.ts";
import { isCoreType, isIntegerType } from "./core-types.ts";
import { aliasesOf } from "./meta/read.ts";
import { foldCase, isIdentifier } from "./names.ts";
import { goNameOf, wireNameOf } from "./rules/names.ts";
import type { Declared, Scope } from "./scope.ts";

export type RoutedMethod = MethodNode & { readonly route: RouteNode };

export function isRouted(method: MethodNode): method is RoutedMethod {
  return method.route !== undefined;
}

/** A part of a path: a text, or a parameter. */
export type Segment = { readonly text: string } | { readonly parameter: string };

/** `/pets/{id}` → `pets` and the parameter `id`. Empty segments are left out, so `/` and a last slash add none. */
export function segmentsOf(path: string): readonly Segment[] {
  const parts = path.split("/").filter((part) => part !== "");
  return parts.map((part) => (part.startsWith("{") ? { parameter: part.slice(1, -1) } : { text: part }));
}

/** Returns why a path is not a template, or undefined if it is one. */
export function faultOfPath(path: string): string | undefined {
  if (!path.startsWith("/")) return 'must start with "/"';
  if (/[\s?#]/.test(path)) return 'must not contain white space, "?" or "#"';
  for (const part of path.split("/")) {
    if (/^\{.*\}$/.test(part)) {
      if (!isIdentifier(part.slice(1, -1))) return `has the parameter "${part}", which is not a name`;
    } else if (/[{}]/.test(part)) return `has "${part}", but a parameter is a whole segment, such as /{id}`;
    else if (!/^[a-zA-Z0-9._~-]*$/.test(part))
      return `has "${part}", but a segment consists of letters, digits and . _ ~ -`;
  }
  return undefined;
}

/** The path of a method below the basepath: that of its service, then its own, as written. */
export function routePath({ path }: ServiceNode, { route }: RoutedMethod): string {
  return joinedPath(path?.value, route.path.value);
}

/** Returns the path of a method with the names in JSON of the fields that its parameters bind to. */
export function wirePath(service: string | undefined, method: RoutedMethod, scope: Scope): string {
  const path = joinedPath(service, method.route.path.value);
  if (method.input.succinct === undefined) return path;
  const fields = requestFields(method.input, scope) ?? [];
  return path.replace(/(?<=\{)\w+(?=\})/g, (name) => boundField(name, fields)?.wireName ?? name);
}

/**
 * Returns the names of fields with `+ json = -` that routes send all the same, because `+ go.tag.json` names them. Without
 * them, the methods could not be called.
 */
export function namesInRoutes(scope: Scope): ReadonlyMap<FieldNode, string> {
  const names = new Map<FieldNode, string>();
  for (const { service, method } of routedMethods(scope)) {
    const fields = requestFields(method.input, scope) ?? [];
    const inPath = parametersIn(routePath(service.node, method));
    const hasQuery = bodilessVerbs.has(method.route.verb.text);
    for (const { node, wireName, boundName } of fields)
      if (
        node !== undefined &&
        wireName === undefined &&
        isIdentifier(boundName) &&
        (hasQuery || inPath.has(boundName))
      )
        names.set(node, boundName);
  }
  return names;
}

/** Returns the names of the parameters of a path. */
export function parametersIn(path: string): ReadonlySet<string> {
  return new Set(segmentsOf(path).flatMap((one) => ("parameter" in one ? [one.parameter] : [])));
}

/** Joins the paths of a service and a route with single slashes, without one at the end. */
export function joinedPath(prefix = "", own: string): string {
  const segments = [...segmentsOf(prefix), ...segmentsOf(own)];
  return `/${segments.map((one) => ("text" in one ? one.text : `{${one.parameter}}`)).join("/")}`;
}

/** `GET /pets/{id}`. */
export function routeText(service: ServiceNode, method: RoutedMethod): string {
  return `${method.route.verb.text} ${routePath(service, method)}`;
}

/** Whether the paths of a method can be used: other rules report the rest. */
export function hasValidPaths({ path }: ServiceNode, { route }: RoutedMethod): boolean {
  return [path?.value ?? "/", route.path.value].every((one) => faultOfPath(one) === undefined);
}

export interface RoutedDeclaration {
  readonly service: Declared<ServiceNode>;
  readonly method: RoutedMethod;
  readonly segments: readonly Segment[];
}

/** Returns all methods in scope that have a usable route. */
export function routedMethods({ services }: Scope): readonly RoutedDeclaration[] {
  return [...new Set(services)].flatMap((service) =>
    service.node.methods
      .filter(isRouted)
      .filter((method) => hasValidPaths(service.node, method))
      .map((method) => ({ service, method, segments: segmentsOf(routePath(service.node, method)) })),
  );
}

export interface RequestField {
  /** As declared. */
  readonly name: string;
  /** What a parameter of a route calls it: as in the reference, its name in Go's JSON. */
  readonly boundName: string;
  /** Undefined for an argument. */
  readonly node?: FieldNode;
  /** Undefined if JSON lacks the field. */
  readonly wireName: string | undefined;
  readonly optional: boolean;
  readonly type: TypeNode;
}

/** Returns the fields of a request, or undefined if its struct is unknown. */
export function requestFields(
  { succinct, list }: ArgumentsNode,
  { typeByFoldedName }: Scope,
): readonly RequestField[] | undefined {
  if (succinct === undefined)
    return list.map(({ name: { text: name }, optional, type }) => ({
      name,
      boundName: name,
      wireName: name,
      optional,
      type,
    }));
  const found = typeByFoldedName.get(foldCase(succinct.text))?.node;
  if (found?.kind !== "struct") return undefined;
  return found.fields.map((field) => ({
    name: field.name.text,
    node: field,
    boundName: goNameOf(field),
    wireName: wireNameOf(field),
    optional: field.optional,
    type: field.type,
  }));
}

/** Returns the field that a parameter binds to. */
export function boundField(parameter: string, fields: readonly RequestField[]): RequestField | undefined {
  return fields.findLast(({ boundName }) => boundName === parameter);
}

/** Whether a path or a query can hold the values of a type. Types that do not exist are reported elsewhere. */
export function isScalar(type: TypeNode, scope: Scope): boolean {
  const end = aliasesOf(type, scope).at(-1)?.type ?? type;
  if (end.kind !== "named") return false;
  if (isCoreType(end.name)) return isIntegerType(end.name) || otherScalars.has(end.name);
  const found = scope.typeByName.get(end.name)?.node;
  return found === undefined || found.kind === "enum";
}

/** Whether a type is a list of scalars, such as `[]string`. The reference rejects aliases of lists. */
export function isScalarList(type: TypeNode, scope: Scope): boolean {
  return type.kind === "list" && isScalar(type.element, scope);
}

const otherScalars: ReadonlySet<string> = new Set(["bool", "float32", "float64", "string", "timestamp"]);

/** The span of a parameter in its path, if the path is written there as it is. */
export function parameterSpan({ value, span }: Text, name: string): Span {
  const at = value.indexOf(`{${name}}`);
  if (at === -1 || span.end - span.start !== value.length) return span;
  return { start: span.start + at, end: span.start + at + name.length + 2 };
}
