import type { DiagnosticExtras } from "../../diagnostics/diagnostic.ts";
import type { Name, Text } from "../../syntax/tree.ts";
import { TokenKind } from "../token.ts";
import type { Cursor } from "./cursor.ts";
import { insertFix } from "./repair.ts";

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
  const open = cursor.start;
  cursor.advance();
  const start = cursor.start;
  for (;;) {
    switch (cursor.kind) {
      case TokenKind.newline:
      case TokenKind.end:
        return cursor.fail(
          "unclosed-string",
          {},
          { start: open, end: cursor.start },
          closingQuoteFix(cursor, open),
        );
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

/** Adds the closing quote before an error's status, or at the end of the line. */
function closingQuoteFix(cursor: Cursor, open: number): DiagnosticExtras {
  const text = cursor.slice(open, cursor.start);
  const length = / +HTTP +\d+\s*$/.exec(text)?.index ?? text.trimEnd().length;
  return length < 2 ? {} : insertFix(cursor, '"', open + length);
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
    return cursor.fail(
      "bad-escape",
      { escape: sequence },
      { start: start + index, end: start + index + sequence.length },
    );
  }
  const value = raw.replace(/\\./gs, (sequence) => escapes[sequence] ?? sequence);
  return { value, ...rest };
}

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
