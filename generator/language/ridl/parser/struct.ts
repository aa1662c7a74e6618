import type { FieldNode, Name, StructNode } from "../../syntax/tree.ts";
import { TokenKind } from "../token.ts";
import type { Cursor } from "./cursor.ts";
import { type ItemParsers, parseItems } from "./items.ts";
import { parseMetaLines } from "./meta.ts";
import { Field } from "./nodes.ts";
import { parseType } from "./types.ts";

/** `struct = "struct" word { field }`, `field = "-" word [ "?" ] ":" type { meta }`. */
export function parseStruct(cursor: Cursor): StructNode | undefined {
  const { start } = cursor.span;
  cursor.advance();
  cursor.skipBlank();
  const name = cursor.expectWord("the name of the struct");
  return name && parseFields(cursor, start, name);
}

/** `{ field }`, also called by the repair of `type Pet {`. */
export function parseFields(cursor: Cursor, start: number, name: Name): StructNode {
  const fields: FieldNode[] = [];
  parseItems(cursor, { fields, isLastParsed: true }, fieldParsers);
  return { kind: "struct", name, fields, span: { start, end: fields.at(-1)?.span.end ?? name.span.end } };
}

interface FieldList {
  readonly fields: FieldNode[];
  isLastParsed: boolean;
}

const fieldParsers: ItemParsers<FieldList> = {
  [TokenKind.minus]: (cursor, list) => {
    const field = parseField(cursor);
    if (field !== undefined) list.fields.push(field);
    list.isLastParsed = field !== undefined;
    return list.isLastParsed;
  },
  [TokenKind.plus]: (cursor, { fields, isLastParsed }) => {
    // Meta lines below a field or meta line that failed add no new error. Above the first field they have nothing to apply to.
    cursor.lineForm = "field";
    if (isLastParsed && fields.length === 0) cursor.failUnexpected('"-" and the first field');
    return false;
  },
};

function parseField(cursor: Cursor): FieldNode | undefined {
  cursor.lineForm = "field";
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
