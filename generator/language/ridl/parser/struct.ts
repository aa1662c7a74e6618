import type { FieldNode, MetaNode, Name, StructNode } from "../../syntax/tree.ts";
import { TokenKind } from "../token.ts";
import type { Cursor } from "./cursor.ts";
import { type ItemParsers, isFirstOnLine, parseItems } from "./items.ts";
import { parseMeta } from "./meta.ts";
import { Field } from "./nodes.ts";
import { insertFix, restOfLine } from "./repair.ts";
import { parseType } from "./types.ts";

/** `struct = "struct" word { field }`, `field = "-" word [ "?" ] ":" type { meta }`. */
export function parseStruct(cursor: Cursor): StructNode | undefined {
  const { start } = cursor.span;
  cursor.advance();
  cursor.skipBlank();
  const name = cursor.expectWord("the name of the struct");
  return name && parseFields(cursor, start, name);
}

/** `{ field }`, whatever declares them. */
export function parseFields(cursor: Cursor, start: number, name: Name): StructNode {
  const fields: FieldNode[] = [];
  parseItems(cursor, { fields, isLastParsed: true }, fieldParsers);
  return { kind: "struct", name, fields, span: { start, end: fields.at(-1)?.span.end ?? name.span.end } };
}

interface FieldList {
  readonly fields: FieldNode[];
  /** Whether the last field could be read. */
  isLastParsed: boolean;
}

const fieldParsers: ItemParsers<FieldList> = {
  [TokenKind.minus]: (cursor, list) => {
    const field = parseField(cursor);
    if (field !== undefined) list.fields.push(field);
    list.isLastParsed = field !== undefined;
    return list.isLastParsed;
  },
  [TokenKind.plus]: (cursor, { isLastParsed }) => {
    // Below a field that failed its meta lines say nothing new; above the first field there is nothing to say it of.
    if (isLastParsed) cursor.failUnexpected('"-" and the first field');
    return false;
  },
};

function parseField(cursor: Cursor): FieldNode | undefined {
  const { start } = cursor;
  cursor.advance();
  cursor.skipBlank();
  const name = cursor.expectWord("the name of a field");
  if (name === undefined) return undefined;
  const optional = cursor.take(TokenKind.question);
  if (!cursor.expect(TokenKind.colon, ":")) return undefined;
  cursor.skipBlank();
  const type = parseType(cursor);
  if (type === undefined) return undefined;
  const typeEnd = cursor.start;
  const meta = parseMetaLines(cursor);
  return new Field({ name, optional, type, meta }, { start, end: meta.at(-1)?.span.end ?? typeEnd });
}

/** Most fields have none, and share it. */
const noMeta: readonly MetaNode[] = [];

/** The `+` lines below a field or an alias. What follows them is for the list above to judge. */
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

/** `json = id` below a field. The keywords of the header stand at the margin. */
function isUnmarkedMeta(cursor: Cursor): boolean {
  if (cursor.kind !== TokenKind.word || cursor.file.text.charCodeAt(cursor.start - 1) === 0x0a) return false;
  return isFirstOnLine(cursor) && /^[\w.]+[ \t]*=(?!>)/.test(restOfLine(cursor));
}
