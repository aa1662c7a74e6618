import { cover, type Span } from "../../source/span.ts";
import type { AliasNode, Name, StructNode } from "../../syntax/tree.ts";
import { TokenKind } from "../token.ts";
import type { Cursor } from "./cursor.ts";
import { parseMetaLines } from "./meta.ts";
import { replaceFix, restOfLine } from "./repair.ts";
import { parseFields } from "./struct.ts";
import { parseType } from "./types.ts";

/** `alias = "type" word ":" type { meta }`. */
export function parseAlias(cursor: Cursor): AliasNode | StructNode | undefined {
  const keyword = cursor.span;
  const { start } = keyword;
  cursor.advance();
  cursor.skipBlank();
  const name = cursor.expectWord("the name of the type");
  if (name === undefined) return undefined;
  if (hasFields(cursor)) return repairStructKeyword(cursor, keyword, name);
  if (!cursor.expect(TokenKind.colon, ":")) return undefined;
  cursor.skipBlank();
  const type = parseType(cursor);
  if (type === undefined) return undefined;
  const meta = parseMetaLines(cursor);
  return {
    kind: "alias",
    name,
    type,
    meta,
    span: cover({ start, end: type.span.end }, meta.at(-1)?.span ?? type.span),
  };
}

/**
 * Whether fields follow: `type Pet {`, or `type Pet` above a line with a dash. In other languages, "type" declares a struct.
 */
function hasFields(cursor: Cursor): boolean {
  if (/^[ \t]*\{/.test(restOfLine(cursor))) return true;
  const { text } = cursor.file;
  return /^[ \t\r]*\n[ \t]*-/.test(text.slice(cursor.start, cursor.start + 200));
}

/** Reports "type" in place of "struct", and parses the fields. */
function repairStructKeyword(cursor: Cursor, keyword: Span, name: Name): StructNode {
  cursor.skipBlank();
  cursor.failUnexpected('":" and a type', {
    advice: `A type with fields is a struct: "struct ${name.text}".`,
    ...replaceFix(cursor, "struct", keyword),
  });
  cursor.skipLine();
  return parseFields(cursor, keyword.start, name);
}
