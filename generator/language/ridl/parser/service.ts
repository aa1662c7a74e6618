import type { AnnotationNode, MethodNode, ServiceNode } from "../../syntax/tree.ts";
import { TokenKind } from "../token.ts";
import { parseAnnotations } from "./annotations.ts";
import type { Cursor } from "./cursor.ts";
import { type ItemParsers, parseItems } from "./items.ts";
import { parseMethod } from "./method.ts";
import { parseLiteral } from "./values.ts";

/** `service = "service" value eol { annotation | method }`. */
export function parseService(cursor: Cursor): ServiceNode | undefined {
  const { start } = cursor.span;
  cursor.advance();
  cursor.skipBlank();
  const name = parseLiteral(cursor, '"service"');
  if (name === undefined) return undefined;
  if (!cursor.expectLineEnd()) cursor.skipLine();
  const list: MethodList = { methods: [], annotations: [], areAllParsed: true };
  parseItems(cursor, list, methodParsers);
  const { methods, annotations, areAllParsed } = list;
  for (const { name: annotationName, span } of annotations)
    cursor.warn("dangling-annotation", { name: annotationName.text }, span);
  const end = methods.at(-1)?.span.end ?? name.span.end;
  const node: ServiceNode = { kind: "service", name, methods, span: { start, end } };
  if (!areAllParsed) cursor.unparsed.services.add(node);
  return node;
}

interface MethodList {
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
};
