import { suggest } from "../../diagnostics/suggest.ts";
import { isRouteVerb, routeVerbs } from "../../syntax/route-verbs.ts";
import type { RouteNode, Text } from "../../syntax/tree.ts";
import { TokenKind } from "../token.ts";
import type { Cursor } from "./cursor.ts";
import { replaceFix, restOfLine } from "./repair.ts";

/** Whether the cursor is at a route, `GET /pets`, perhaps with an unknown verb. */
export function startsRoute(cursor: Cursor): boolean {
  return isRouteVerb(cursor.text) || /^\w+[ \t]+\//.test(restOfLine(cursor));
}

/** Whether the cursor is at the path of a service: `path = /pets`. Elsewhere "path" is a name like any other. */
export function startsServicePath(cursor: Cursor): boolean {
  return cursor.text === "path" && /^path[ \t]*=(?!>)/.test(restOfLine(cursor));
}

/** `route = verb path`. */
export function parseRoute(cursor: Cursor): RouteNode | undefined {
  const { text, span } = cursor;
  cursor.lineForm = "route";
  if (!isRouteVerb(text)) return reportVerb(cursor);
  cursor.advance();
  cursor.skipBlank();
  const path = parseRoutePath(cursor, `"${text}"`);
  return path && { verb: { text, span }, path, span: { start: span.start, end: path.span.end } };
}

/** `servicePath = "path" "=" path`. */
export function parseServicePath(cursor: Cursor): Text | undefined {
  cursor.lineForm = "servicePath";
  cursor.advance();
  cursor.skipBlank();
  cursor.advance();
  cursor.skipBlank();
  return parseRoutePath(cursor, '"path ="');
}

function reportVerb(cursor: Cursor): undefined {
  const { text, span } = cursor;
  const upper = text.toUpperCase();
  const suggestion = isRouteVerb(upper) ? upper : suggest(upper, routeVerbs);
  const extra =
    suggestion === undefined
      ? {}
      : { advice: `Did you mean "${suggestion}"?`, ...replaceFix(cursor, suggestion, span) };
  return cursor.fail("route-verb", { verb: text }, span, extra);
}

/** `path = { word | "/" | "." | "{" | "}" }`, without blanks. A rule of the model checks the segments. */
function parseRoutePath(cursor: Cursor, after: string): Text | undefined {
  const { start } = cursor;
  const quoted = /^"([^"]+)"/.exec(restOfLine(cursor));
  if (quoted !== null) {
    const [whole, inside = ""] = quoted;
    const span = { start, end: start + whole.length };
    return cursor.failUnexpected("a path without quotes", replaceFix(cursor, inside, span));
  }
  while (isPathPart(cursor)) cursor.advance();
  const value = cursor.slice(start, cursor.start);
  if (value === "") return cursor.fail("missing-value", { after });
  const span = { start, end: cursor.start };
  if (!endsPath.has(cursor.kind)) return cursor.failUnexpected("a blank or the end of the line");
  return { value, quoted: false, span };
}

function isPathPart({ kind, text }: Cursor): boolean {
  if (kind === TokenKind.word || kind === TokenKind.slash || kind === TokenKind.dot) return true;
  return kind === TokenKind.other && (text === "{" || text === "}");
}

const endsPath: ReadonlySet<TokenKind> = new Set([
  TokenKind.blank,
  TokenKind.newline,
  TokenKind.hash,
  TokenKind.end,
]);
