import type { Location } from "./diagnostic.ts";
import { columnsOf, visible } from "./visible.ts";

/** The line a fault lies on, ready for print, and the marks to print under it. */
export interface Frame {
  /** 1-based. */
  readonly line: number;
  readonly code: string;
  readonly marks: string;
}

/**
 * Longest piece of a line we show, in UTF-16 code units: what fits a wide terminal. Of a longer line only the
 * surroundings of the fault are shown, `frameLead` of them before it.
 */
const frameMaxLength = 110;
const frameLead = 50;

/** Of a fault that spans lines the first is shown; one that has no length gets one mark. */
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

/** `text` in three parts; what is too long to show gives way to `...`. */
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

/** The same place, or the one before it if it lies within a surrogate pair. */
function characterStart(text: string, at: number): number {
  return /[\uDC00-\uDFFF]/.test(text[at] ?? "") && at > 0 ? at - 1 : at;
}

/** Tabs count as four blanks wherever they stand, which keeps the marks in place in every terminal. */
function printable(text: string): string {
  return visible(text.replaceAll("\t", "    "));
}
