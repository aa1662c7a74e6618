import type { Node, ts } from "ts-morph";
import type { Span } from "../../language/source/span.ts";

/** Of a node itself, without the comments in front of it. */
export function spanOf(node: Node | ts.Node): Span {
  return { start: node.getStart(), end: node.getEnd() };
}

/** Of what a string literal says. */
export function insideQuotes(literal: Node | ts.Node): Span {
  return { start: literal.getStart() + 1, end: literal.getEnd() - 1 };
}
