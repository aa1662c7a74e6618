import type { Location } from "./diagnostic.ts";
import { columnsOf, visible } from "./visible.ts";

/** The source line of a diagnostic, ready to print, and the marks below it. */
export interface Frame {
  /** 1-based. */
  readonly line: number;
  readonly code: string;
  readonly marks: string;
}

/**
 * Maximum length of a printed line in UTF-16 code units, which fits a wide terminal. A longer line is cut around the marked part,
 * with `frameLead` code units before it.
 */
const frameMaxLength = 110;
const frameLead = 50;

/** Shows only the first line of a span. An empty span gets one mark. */
export function frameOf({ file, span }: Location): Frame {
  const { line, column } = file.positionAt(span.start);
  const text = file.lineText(line);
  const start = Math.min(column - 1, text.length);
  const end = Math.max(start, Math.min(start + (span.end - span.start), text.length));
  const cut = cutAround(text, start, end);
  const before = printable(cut.before);
  const marked = printable(cut.marked);
  const marks = `${" ".repeat(columnsOf(before))}${"^".repeat(Math.max(1, columnsOf(marked)))}`;
  return { line, code: `${before}${marked}${printable(cut.after)}`.trimEnd(), marks };
}

interface Cut {
  readonly before: string;
  readonly marked: string;
  readonly after: string;
}

/** Splits a line into the marked part and the text before and after it. Cuts a long line, and marks each cut with `...`. */
function cutAround(text: string, start: number, end: number): Cut {
  if (text.length <= frameMaxLength) {
    return { before: text.slice(0, start), marked: text.slice(start, end), after: text.slice(end) };
  }
  const first = characterStart(text, Math.max(0, Math.min(start - frameLead, text.length - frameMaxLength)));
  const last = characterStart(text, Math.min(text.length, first + frameMaxLength));
  const markedEnd = Math.min(end, last);
  return {
    before: `${first > 0 ? "..." : ""}${text.slice(first, start)}`,
    marked: text.slice(start, markedEnd),
    after: `${text.slice(markedEnd, last)}${last < text.length ? "..." : ""}`,
  };
}

/** Moves a position that is inside a surrogate pair to the start of the pair. */
function characterStart(text: string, at: number): number {
  return /[\uDC00-\uDFFF]/.test(text[at] ?? "") && at > 0 ? at - 1 : at;
}

/** A tab becomes four spaces, so the marks are aligned in every terminal. */
function printable(text: string): string {
  return visible(text.replaceAll("\t", "    "));
}
