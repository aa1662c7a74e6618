import type { Fix } from "../../diagnostics/diagnostic.ts";
import type { SourceFile } from "../../source/source-file.ts";
import type { Span } from "../../source/span.ts";

/** One possible explanation of a syntax error, with the edits that would correct it. */
export interface Repair {
  /** Part of a sentence: `a colon is missing after "fields"`. */
  readonly reason: string;
  readonly advice: string;
  readonly title: string;
  readonly at: Span;
  readonly edits: Fix["edits"];
}

export interface Line {
  readonly text: string;
  readonly start: number;
}

/** `number` is 1-based. */
export function lineOf(file: SourceFile, number: number): Line {
  return { text: file.lineText(number), start: file.lineStarts[number - 1] ?? file.text.length };
}

/** A span within a line; columns start at 0. */
export function spanIn({ start }: Line, from: number, to: number): Span {
  return { start: start + from, end: start + to };
}

/** An edit that inserts text at a column. */
export function insertion(line: Line, column: number, text: string): Repair["edits"] {
  return [{ span: spanIn(line, column, column), text }];
}

/** Applies edits, which must not overlap. */
export function applyEdits(text: string, edits: Repair["edits"]): string {
  let result = text;
  for (const { span, text: replacement } of edits.toSorted((a, b) => b.span.start - a.span.start))
    result = result.slice(0, span.start) + replacement + result.slice(span.end);
  return result;
}
