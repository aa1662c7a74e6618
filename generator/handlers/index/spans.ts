import type { Node, ts } from "ts-morph";
import type { Span } from "../../language/source/span.ts";

/** The span of a node without leading comments. */
export function spanOf(node: Node | ts.Node): Span {
  return { start: node.getStart(), end: node.getEnd() };
}

/** The span of a string literal without its quotes. */
export function insideQuotes(literal: Node | ts.Node): Span {
  return { start: literal.getStart() + 1, end: literal.getEnd() - 1 };
}
