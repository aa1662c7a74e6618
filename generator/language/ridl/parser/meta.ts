import type { MetaNode } from "../../syntax/tree.ts";
import { TokenKind } from "../token.ts";
import type { Cursor } from "./cursor.ts";
import { isFirstOnLine } from "./items.ts";
import { parseMetaKey, parseMetaValue } from "./literals.ts";
import { insertFix, restOfLine } from "./repair.ts";

/** Shared by all nodes without meta lines, which are most. */
const noMeta: readonly MetaNode[] = [];

/** Parses the `+` lines below a field, an enum value or an alias. The enclosing list handles whatever follows. */
export function parseMetaLines(cursor: Cursor): readonly MetaNode[] {
  let meta: MetaNode[] | undefined;
  for (;;) {
    cursor.skipToContent();
    if (isUnmarkedMeta(cursor)) {
      cursor.fail("missing-plus", { word: cursor.text }, cursor.span, insertFix(cursor, "+ ", cursor.start));
      cursor.skipLine();
      continue;
    }
    if (cursor.kind !== TokenKind.plus) return meta ?? noMeta;
    const line = parseMeta(cursor);
    if (line === undefined) cursor.skipLine();
    else {
      meta ??= [];
      meta.push(line);
    }
  }
}

/** Whether the line is a meta line without its plus, such as `json = id`. Header keywords are not indented. */
function isUnmarkedMeta(cursor: Cursor): boolean {
  if (cursor.kind !== TokenKind.word || cursor.file.text.charCodeAt(cursor.start - 1) === 0x0a) return false;
  return isFirstOnLine(cursor) && /^[\w.]+[ \t]*=(?!>)/.test(restOfLine(cursor));
}

/** `meta = "+" key "=" meta-value`. */
function parseMeta(cursor: Cursor): MetaNode | undefined {
  cursor.lineForm = "meta";
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
