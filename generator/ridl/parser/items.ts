import { TokenKind } from "../token.ts";
import type { Cursor } from "./cursor.ts";
import { isKeyword } from "./keywords.ts";
import { atLineEnd, inserting, writing } from "./repair.ts";

/** What to do at the tokens that mean something in a list of items; the rest is the same in every list. */
type ItemParsers = Partial<Readonly<Record<TokenKind, (cursor: Cursor) => boolean>>>;

/**
 * The lines that hang on a declaration: blanks, line breaks and comments between them are skipped, an item that fails costs its
 * line, and the list ends where a declaration starts.
 */
export function parseItems(cursor: Cursor, parsers: ItemParsers): void {
  for (;;) {
    cursor.skipToContent();
    const { kind } = cursor;
    const parseItem = parsers[kind];
    if (parseItem !== undefined) {
      if (!parseItem(cursor)) cursor.skipLine();
    } else if (kind === TokenKind.end || !isLostItem(cursor)) return;
    else cursor.skipLine();
  }
}

/**
 * Reports a line that belongs to the list and is not an item of it. `false`: the list ends here and the next declaration, be it
 * well spelt or not, starts.
 */
function isLostItem(cursor: Cursor): boolean {
  const { kind, text, span, file } = cursor;
  if (kind === TokenKind.word && isKeyword(text)) return false;
  if (kind !== TokenKind.word || !isFirstOnLine(cursor)) {
    if (isFirstOnLine(cursor) && isBullet(text)) cursor.failUnexpected('"-"', writing(cursor, "-", span));
    else cursor.failUnexpected("the end of the line", atLineEnd(cursor));
    return true;
  }
  const isIndented = file.text.charCodeAt(span.start - 1) !== 0x0a;
  if (!isIndented && !marksItem(cursor.nextKind)) return false;
  cursor.fail("missing-dash", { word: text }, span, inserting(cursor, "- ", span.start));
  return true;
}

export function isFirstOnLine({ span, file }: Cursor): boolean {
  return /(^|\n)[ \t\r]*$/.test(file.text.slice(Math.max(0, span.start - 200), span.start));
}

/** What else people put before the items of a list. */
function isBullet(text: string): boolean {
  return /^[*•–—~]$/.test(text);
}

/** Whether a word before this token can only be a field or a method. */
function marksItem(kind: TokenKind): boolean {
  return kind === TokenKind.colon || kind === TokenKind.question || kind === TokenKind.openParen;
}
