import type { Location } from "./diagnostic.ts";
import { columnsOf, endWithin, startWithin, visible } from "./visible.ts";

/** The source line of a diagnostic, ready to print, and the marks below it. */
export interface Frame {
  /** 1-based. */
  readonly line: number;
  readonly code: string;
  readonly marks: string;
}

/** Maximum width of a source line in terminal columns, if the terminal is not narrower. */
export const frameMaxColumns = 110;

const cutMark = "...";

/** Shows only the first line of a span. An empty span gets one mark. A line wider than `maxColumns` is cut around the span. */
export function frameOf({ file, span }: Location, maxColumns: number = frameMaxColumns): Frame {
  const { line, column } = file.positionAt(span.start);
  const text = file.lineText(line);
  const start = Math.min(column - 1, text.length);
  const end = Math.max(start, Math.min(start + (span.end - span.start), text.length));
  const parts = { before: text.slice(0, start), marked: text.slice(start, end), after: text.slice(end) };
  const { before, marked, after } = cutAround(parts, maxColumns);
  const marks = `${" ".repeat(columnsOf(before))}${"^".repeat(Math.max(1, columnsOf(marked)))}`;
  return { line, code: `${before}${marked}${after}`.trimEnd(), marks };
}

interface Parts {
  readonly before: string;
  readonly marked: string;
  readonly after: string;
}

/** The text before the marked part gets two fifths of the columns, and those that the rest of the line does not need. */
function cutAround(parts: Parts, maxColumns: number): Parts {
  const [before, marked, after] = [parts.before, parts.marked, parts.after].map(printable) as [
    string,
    string,
    string,
  ];
  const rest = marked + after;
  if (startWithin(before + rest, maxColumns) === before + rest) return { before, marked, after };
  const columns = maxColumns - 2 * cutMark.length;
  const spare = columns - columnsOf(startWithin(rest, columns));
  const lead = endWithin(before, Math.max(Math.floor(columns * 0.4), spare));
  const shown = startWithin(rest, columns - columnsOf(lead));
  return {
    before: `${lead.length < before.length ? cutMark : ""}${lead}`,
    marked: shown.slice(0, marked.length),
    after: `${shown.slice(marked.length)}${shown.length < rest.length ? cutMark : ""}`,
  };
}

/** A tab becomes four spaces, so the marks are aligned in every terminal. */
function printable(text: string): string {
  return visible(text.replaceAll("\t", "    "));
}
