import { asSuggestion } from "../../diagnostics/diagnostic.ts";
import type { Name, Text } from "../../syntax/tree.ts";
import { TokenKind } from "../lexer.ts";
import type { Cursor } from "./cursor.ts";
import { insertFix, skipTo } from "./repair.ts";

/** `value = string | literal-part { literal-part }`, `literal-part = word | "/"`. Blanks end it. */
export function parseLiteral(cursor: Cursor, after: string): Text | undefined {
  return parseBare(cursor, after, isLiteralPart);
}

/** `path = string | path-part { path-part }`, `path-part = word | "." | "/"`. */
export function parsePath(cursor: Cursor): Text | undefined {
  return parseBare(cursor, '"import"', (kind) => isLiteralPart(kind) || kind === TokenKind.dot);
}

/** `meta-value = string | any characters up to the next blank`. */
export function parseMetaValue(cursor: Cursor, after: string): Text | undefined {
  if (cursor.kind === TokenKind.quote) return parseString(cursor);
  const start = cursor.start;
  while (!endsMetaValue(cursor.kind)) cursor.advance();
  return toText(cursor, start, after);
}

/** `string = '"' { character | "\n" | "\t" | '\"' } '"'`, on one line and not empty. */
export function parseString(cursor: Cursor): Text | undefined {
  const mark = cursor.mark();
  const open = cursor.start;
  cursor.advance();
  const start = cursor.start;
  for (;;) {
    switch (cursor.kind) {
      case TokenKind.newline:
      case TokenKind.end:
        return repairUnclosed(cursor, mark, open);
      case TokenKind.backslash:
        cursor.advance();
        break;
      case TokenKind.hash:
        cursor.warn("hash-in-string", {}, cursor.span);
        break;
      case TokenKind.quote: {
        const raw = cursor.slice(start, cursor.start);
        cursor.advance();
        const span = { start: open, end: cursor.start };
        if (raw === "") return cursor.fail("empty-string", {}, span);
        return unescapeText(cursor, raw, start, { quoted: true, span });
      }
    }
    cursor.advance();
  }
}

/**
 * Reports a string without its closing quote, and ends it before an error's status or at the end of the line. The string may end
 * earlier if a comment or, behind an annotation, other text follows; then it is not read.
 */
function repairUnclosed(cursor: Cursor, mark: number, open: number): Text | undefined {
  const span = { start: open, end: cursor.start };
  const text = cursor.slice(span.start, span.end);
  const length = (/ +HTTP +\d+[ \t\r]*$/.exec(text) ?? /[ \t\r]*$/.exec(text))?.index ?? text.length;
  const end = span.start + length;
  const extra = length < 2 ? {} : insertFix(cursor, '"', end);
  const isWhole = length >= 2 && !/#|\n|\\$/.test(text.slice(0, length)) && cursor.lineForm !== "annotation";
  cursor.fail("unclosed-string", {}, span, isWhole ? extra : asSuggestion(extra));
  if (!isWhole) return undefined;
  cursor.reset(mark);
  skipTo(cursor, end);
  return unescapeText(cursor, text.slice(1, length), span.start + 1, {
    quoted: true,
    span: { start: span.start, end },
  });
}

/** Reads a run of allowed tokens. A quote restarts the value, as in the reference parser. */
function parseBare(cursor: Cursor, after: string, isPart: (kind: TokenKind) => boolean): Text | undefined {
  const start = cursor.start;
  while (isPart(cursor.kind)) cursor.advance();
  if (cursor.kind === TokenKind.quote) return parseString(cursor);
  return toText(cursor, start, after);
}

function toText(cursor: Cursor, start: number, after: string): Text | undefined {
  const raw = cursor.slice(start, cursor.start);
  if (raw === "") return cursor.fail("missing-value", { after });
  return unescapeText(cursor, raw, start, { quoted: false, span: { start, end: cursor.start } });
}

/** Resolves `\n`, `\t` and `\"`. Any other escape is an error. */
function unescapeText(
  cursor: Cursor,
  raw: string,
  start: number,
  rest: Omit<Text, "value">,
): Text | undefined {
  if (!raw.includes("\\")) return { value: raw, ...rest };
  for (const { 0: sequence, index } of raw.matchAll(/\\.?/gsu)) {
    if (sequence in escapes) continue;
    const span = { start: start + index, end: start + index + sequence.length };
    const endsString = sequence === "\\" && rest.quoted;
    return cursor.fail("bad-escape", { escape: sequence }, span, endsString ? { advice: quoteAdvice } : {});
  }
  const value = raw.replace(/\\./gs, (sequence) => escapes[sequence] ?? sequence);
  return { value, ...rest };
}

/** The lexer, like that of the reference, reads a backslash behind a letter as a part of the word. */
const quoteAdvice =
  'The string ends at the quote, because a backslash right after a word belongs to the word. Write \\" after a space or a bracket, or use single quotes.';

const escapes: Readonly<Record<string, string>> = { "\\n": "\n", "\\t": "\t", '\\"': '"' };

/** `key = word`, where a word may contain dots. */
export function parseMetaKey(cursor: Cursor): Name | undefined {
  const name = cursor.expectWord("the name of a meta key");
  if (name?.text.includes("\\") !== true) return name;
  const text = unescapeText(cursor, name.text, name.span.start, { quoted: false, span: name.span });
  return text === undefined ? undefined : { text: text.value, span: name.span };
}

function isLiteralPart(kind: TokenKind): boolean {
  return kind === TokenKind.word || kind === TokenKind.slash;
}

function endsMetaValue(kind: TokenKind): boolean {
  return kind === TokenKind.blank || kind === TokenKind.newline || kind === TokenKind.end;
}
