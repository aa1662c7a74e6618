import type { DiagnosticExtras } from "../../diagnostics/diagnostic.ts";
import type { SourceFile } from "../../source/source-file.ts";
import type { Span } from "../../source/span.ts";
import { TokenKind } from "../token.ts";

/** The part of the cursor that repairs need. */
interface RepairCursor {
  readonly file: SourceFile;
  readonly kind: TokenKind;
  readonly start: number;
  readonly span: Span;
  advance(): void;
  failUnexpected(expected: string, extra: DiagnosticExtras): undefined;
}

/** Builds a fix that replaces the text in a span, or removes it if `text` is empty. */
export function replaceFix({ file }: Pick<RepairCursor, "file">, text: string, span: Span): DiagnosticExtras {
  const title =
    text === "" ? `Remove "${file.text.slice(span.start, span.end).trim()}"` : `Write "${text.trim()}"`;
  return { fix: { title, file, edits: [{ span, text }] } };
}

export function insertFix({ file }: Pick<RepairCursor, "file">, text: string, at: number): DiagnosticExtras {
  const edits = [{ span: { start: at, end: at }, text }];
  return { fix: { title: `Add "${text.trim()}"`, file, edits } };
}

/** Returns the rest of the line from the current position, comments included. A NUL ends it, as it ends the schema. */
export function restOfLine({ file, start }: Pick<RepairCursor, "file" | "start">): string {
  const end = file.text.indexOf("\n", start);
  const line = file.text.slice(start, end === -1 ? undefined : end);
  const nul = line.indexOf("\0");
  return nul === -1 ? line : line.slice(0, nul);
}

/** Advances to an offset. Stops earlier if the cursor is at the end, to which it jumps after `maxDiagnostics` diagnostics. */
export function skipTo(cursor: Pick<RepairCursor, "kind" | "start" | "advance">, offset: number): void {
  while (cursor.kind !== TokenKind.end && cursor.start < offset) cursor.advance();
}

/** Returns where the text before the current position ends, without trailing blanks. */
export function previousTokenEnd({ file, start }: Pick<RepairCursor, "file" | "start">): number {
  let end = start;
  while (end > 0 && /[ \t\r]/.test(file.text.charAt(end - 1))) end--;
  return end;
}

/** Builds a fix for characters that other languages put at the end of a line: `;`, `,`, a brace, a `//` comment. */
export function lineEndFix(cursor: RepairCursor): DiagnosticExtras {
  const rest = restOfLine(cursor);
  if (/^\/\//.test(rest)) return replaceFix(cursor, "#", { start: cursor.start, end: cursor.start + 2 });
  const ending = /^[;,{}]+(?=\s*(#|$))/.exec(rest)?.[0];
  if (ending === undefined) return {};
  return replaceFix(cursor, "", { start: previousTokenEnd(cursor), end: cursor.start + ending.length });
}

/**
 * Reports a missing or wrong symbol with a fix, and continues as if it were right, provided that the rest of the line fits. `- id
 * uint64` and `- id= uint64` → `- id: uint64`.
 */
export function repairSymbol(cursor: RepairCursor, symbol: ":" | "="): boolean {
  const { kind, span } = cursor;
  const other = symbol === ":" ? TokenKind.equal : TokenKind.colon;
  const expected = `"${symbol}"`;
  if (kind === other) {
    cursor.failUnexpected(expected, replaceFix(cursor, symbol, span));
    cursor.advance();
    return true;
  }
  const rest = restOfLine(cursor);
  const restFits = symbol === ":" ? /^[ \t]+(\[\])*\w+(<[^()]*>)?[ \t\r]*([,)#]|$)/ : /^[\w/"][^:=]*$/;
  if (!restFits.test(rest)) return false;
  cursor.failUnexpected(expected, insertFix(cursor, symbol === ":" ? ":" : "= ", cursor.start));
  return true;
}
