import type { DiagnosticExtras } from "../../diagnostics/diagnostic.ts";
import { TokenKind } from "../token.ts";
import type { Cursor } from "./cursor.ts";
import { isKeyword } from "./keywords.ts";
import { insertFix, lineEndFix, replaceFix, restOfLine } from "./repair.ts";

/** What to do at the tokens that mean something in a list of items; the rest is the same in every list. */
export type ItemParsers<List> = Partial<Readonly<Record<TokenKind, (cursor: Cursor, list: List) => boolean>>>;

/**
 * The lines that hang on a declaration, whose items the parsers put into a list: blanks, line breaks and comments between them are
 * skipped, an item that fails costs its line, and the list ends where a declaration starts.
 */
export function parseItems<List>(cursor: Cursor, list: List, parsers: ItemParsers<List>): void {
  for (;;) {
    cursor.skipToContent();
    const { kind } = cursor;
    const parseItem = parsers[kind];
    if (parseItem !== undefined) {
      if (!parseItem(cursor, list)) cursor.skipLine();
    } else if (kind === TokenKind.end || !reportNonItem(cursor)) return;
    else cursor.skipLine();
  }
}

/**
 * Reports a line that belongs to the list and is not an item of it. `false`: the list ends here and the next declaration, be it
 * well spelt or not, starts.
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

/** `  name: string`, a field without its dash; no header and no declaration has its colon there. */
function isFieldNamedLikeKeyword({ nextKind, span, file }: Cursor): boolean {
  const isIndented = span.start > 0 && file.text.charCodeAt(span.start - 1) !== 0x0a;
  return isIndented && (nextKind === TokenKind.colon || nextKind === TokenKind.question);
}

/** `repeated string tags = 2;` → `- tags: []string`, and `rpc Get(...)` → `- Get(...)`. */
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
    advice: `A field is its name, a colon and its type: "${field}".`,
    ...replaceFix(cursor, field, { start, end: start + whole.length }),
  };
}

export function isFirstOnLine({ span, file }: Cursor): boolean {
  return /(^|\n)[ \t\r]*$/.test(file.text.slice(Math.max(0, span.start - 200), span.start));
}

/** What else people put before the items of a list. */
function isBullet(text: string): boolean {
  return /^[*•–—~]$/.test(text);
}

/** Whether a word before this token can only be a field or a method. */
function followsItemName(kind: TokenKind): boolean {
  return kind === TokenKind.colon || kind === TokenKind.question || kind === TokenKind.openParen;
}
