import type { DiagnosticExtras } from "../../diagnostics/diagnostic.ts";
import type { Span } from "../../source/span.ts";
import type { AnnotationNode, MethodNode, ServiceNode, Text } from "../../syntax/tree.ts";
import { TokenKind } from "../token.ts";
import { parseAnnotations } from "./annotations.ts";
import type { Cursor } from "./cursor.ts";
import { type ItemParsers, parseItems } from "./items.ts";
import { parseLiteral } from "./literals.ts";
import { parseMethod } from "./method.ts";
import { parseRoute, parseServicePath, startsRoute, startsServicePath } from "./route.ts";

/** `service = "service" value eol [ path ] { annotation | method | route }`. */
export function parseService(cursor: Cursor): ServiceNode | undefined {
  const { start } = cursor.span;
  cursor.advance();
  cursor.skipBlank();
  const name = parseLiteral(cursor, '"service"');
  if (name === undefined) return undefined;
  if (!cursor.expectLineEnd()) cursor.skipLine();
  const list: MethodList = { path: undefined, routeEnd: 0, methods: [], annotations: [], areAllParsed: true };
  const areItems = parseItems(cursor, list, methodParsers);
  const { path, routeEnd, methods, annotations, areAllParsed } = list;
  for (const { name: annotationName, span } of annotations)
    cursor.warn("dangling-annotation", { name: annotationName.text }, span);
  const end = Math.max((methods.at(-1) ?? path ?? name).span.end, routeEnd);
  const node: ServiceNode = { kind: "service", name, path, methods, span: { start, end } };
  if (!areAllParsed || !areItems) cursor.unparsed.services.add(node);
  return node;
}

interface MethodList {
  path: Text | undefined;
  /** End of the last route. */
  routeEnd: number;
  readonly methods: MethodNode[];
  /** Annotations of the next method. */
  annotations: AnnotationNode[];
  areAllParsed: boolean;
}

const methodParsers: ItemParsers<MethodList> = {
  [TokenKind.at]: (cursor, { annotations }) => {
    const more = parseAnnotations(cursor);
    for (const annotation of more ?? []) annotations.push(annotation);
    return more !== undefined;
  },
  [TokenKind.minus]: (cursor, list) => {
    const method = parseMethod(cursor, list.annotations);
    list.annotations = [];
    if (method !== undefined) list.methods.push(method);
    list.areAllParsed &&= method !== undefined;
    return method !== undefined;
  },
  [TokenKind.word]: (cursor, list) => {
    if (startsServicePath(cursor)) return addPath(cursor, list);
    return startsRoute(cursor) ? addRoute(cursor, list) : undefined;
  },
};

function addPath(cursor: Cursor, list: MethodList): boolean {
  const { start } = cursor;
  const path = parseServicePath(cursor);
  if (path === undefined) return false;
  const span = { start, end: path.span.end };
  if (list.path !== undefined)
    cursor.fail("duplicate-service-path", {}, span, notesAt(cursor, list.path.span));
  else if (list.methods.length > 0) cursor.fail("late-service-path", {}, span);
  list.path ??= path;
  return true;
}

/** Adds the route to the last method. Annotations of the next method may already have been read. */
function addRoute(cursor: Cursor, list: MethodList): boolean {
  const route = parseRoute(cursor);
  if (route === undefined) return false;
  list.routeEnd = route.span.end;
  const method = list.methods.at(-1);
  if (method === undefined) {
    // A method that failed is already reported.
    if (list.areAllParsed) cursor.fail("route-before-method", { verb: route.verb.text }, route.span);
  } else if (method.route !== undefined)
    cursor.fail(
      "duplicate-route",
      { method: method.name.text },
      route.span,
      notesAt(cursor, method.route.span),
    );
  else list.methods[list.methods.length - 1] = { ...method, route };
  return true;
}

function notesAt({ file }: Cursor, span: Span): DiagnosticExtras {
  return { notes: [{ message: "First given here.", at: { file, span } }] };
}
