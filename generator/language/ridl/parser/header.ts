import type { Header, HeaderKey } from "../../syntax/tree.ts";
import { TokenKind } from "../token.ts";
import type { Cursor } from "./cursor.ts";
import { parseLiteral } from "./literals.ts";

/** `header = ( "webrpc" | "name" | "version" | "basepath" ) "=" value eol`. */
export function parseHeader(cursor: Cursor, key: HeaderKey): Header | undefined {
  const keySpan = cursor.span;
  cursor.advance();
  cursor.skipBlank();
  if (!cursor.expect(TokenKind.equal, "=")) return undefined;
  cursor.skipBlank();
  const value = parseLiteral(cursor, `"${key} ="`);
  if (value === undefined) return undefined;
  cursor.expectLineEnd();
  return { kind: "header", key, keySpan, value, span: { start: keySpan.start, end: value.span.end } };
}
