import type { MetaNode } from "../../syntax/tree.ts";
import { TokenKind } from "../token.ts";
import type { Cursor } from "./cursor.ts";
import { parseMetaKey, parseMetaValue } from "./values.ts";

/** `meta = "+" key "=" meta-value`. */
export function parseMeta(cursor: Cursor): MetaNode | undefined {
  const { start } = cursor.span;
  cursor.advance();
  cursor.skipBlank();
  const key = parseMetaKey(cursor);
  if (key === undefined) return undefined;
  cursor.skipBlank();
  if (!cursor.expect(TokenKind.equal, "=")) return undefined;
  cursor.skipBlank();
  const value = parseMetaValue(cursor, `"${key.text} ="`);
  if (value === undefined) return undefined;
  warnAboutComment(cursor);
  return { key, value, span: { start, end: value.span.end } };
}

function warnAboutComment(cursor: Cursor): void {
  const mark = cursor.mark();
  cursor.skipBlank();
  if (cursor.kind === TokenKind.hash) cursor.warn("comment-after-meta", {}, cursor.span);
  cursor.reset(mark);
}
