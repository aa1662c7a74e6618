import type { DiagnosticExtras } from "../../diagnostics/diagnostic.ts";
import { TokenKind } from "../token.ts";
import type { Cursor } from "./cursor.ts";
import { isKeyword } from "./keywords.ts";
import { insertFix, lineEndFix, replaceFix, restOfLine } from "./repair.ts";

/** Parsers by the token that starts an item. Each returns whether it parsed an item; undefined if the token starts no item. */
export type ItemParsers<List> = Partial<
  Readonly<Record<TokenKind, (cursor: Cursor, list: List) => boolean | undefined>>
>;

/**
 * Parses the lines of a declaration's body into a list. Skips blanks, line breaks and comments between items. Skips the line of
 * an item that fails. The list ends at the next declaration. Returns whether all lines are items.
 */
export function parseItems<List>(cursor: Cursor, list: List, parsers: ItemParsers<List>): boolean {
  for (let areItems = true; ; ) {
    cursor.skipToContent();
    const { kind } = cursor;
    const isParsed = parsers[kind]?.(cursor, list);
    if (isParsed !== undefined) {
      if (!isParsed) cursor.skipLine();
    } else if (kind === TokenKind.end || !reportNonItem(cursor)) return areItems;
    else {
      areItems = false;
      cursor.skipLine();
    }
  }
}

/**
 * Reports a line in the list that is not an item. Returns `false` if the list ends here because a declaration starts, even if its
 * keyword is misspelt.
 */
function reportNonItem(cursor: Cursor): boolean {
  const { kind, text, span, file } = cursor;
  if (kind === TokenKind.word && isKeyword(text) && !isFieldNamedLikeKeyword(cursor)) return false;
  if (kind !== TokenKind.word || !isFirstOnLine(cursor)) {
    if (isFirstOnLine(cursor) && isBullet(text)) cursor.failUnexpected('"-"', replaceFix(cursor, "-", span));
    else cursor.failUnexpected("the end of the line", lineEndFix(cursor));
    return true;
  }
  const isIndented = file.text.charCodeAt(span.start - 1) !== 0x0a;
  if (!isIndented && !followsItemName(cursor.nextKind)) return false;
  cursor.fail(
    "missing-dash",
    { word: text },
    span,
    protobufFix(cursor) ?? insertFix(cursor, "- ", span.start),
  );
  return true;
}

/** Whether the line is a field without its dash, such as `  name: string`: headers and declarations have no colon there. */
function isFieldNamedLikeKeyword({ nextKind, span, file }: Cursor): boolean {
  const isIndented = span.start > 0 && file.text.charCodeAt(span.start - 1) !== 0x0a;
  return isIndented && (nextKind === TokenKind.colon || nextKind === TokenKind.question);
}

/** Protobuf syntax: `repeated string tags = 2;` → `- tags: []string`, and `rpc Get(...)` → `- Get(...)`. */
function protobufFix(cursor: Cursor): DiagnosticExtras | undefined {
  const rest = restOfLine(cursor);
  const { start } = cursor.span;
  const rpc = /^rpc[ \t]+(?=\w+[ \t]*\()/.exec(rest)?.[0];
  if (rpc !== undefined) return replaceFix(cursor, "- ", { start, end: start + rpc.length });
  const [whole, label, type = "", name = ""] =
    /^(?:(repeated|optional|required)[ \t]+)?(\w+|map<\w+,[ \t]*\w+>)[ \t]+(\w+)[ \t]*=[ \t]*\d+[ \t]*;/.exec(
      rest,
    ) ?? [];
  if (whole === undefined) return undefined;
  const field = `- ${name}${label === "optional" ? "?" : ""}: ${label === "repeated" ? "[]" : ""}${type}`;
  return {
    advice: `A field is written as its name, a colon and its type: "${field}".`,
    ...replaceFix(cursor, field, { start, end: start + whole.length }),
  };
}

export function isFirstOnLine({ span, file }: Cursor): boolean {
  return /(^|\n)[ \t\r]*$/.test(file.text.slice(Math.max(0, span.start - 200), span.start));
}

/** Bullets that people use in place of "-". */
function isBullet(text: string): boolean {
  return /^[*•–—~]$/.test(text);
}

/** Whether a word before this token must be a field or a method. */
function followsItemName(kind: TokenKind): boolean {
  return kind === TokenKind.colon || kind === TokenKind.question || kind === TokenKind.openParen;
}
