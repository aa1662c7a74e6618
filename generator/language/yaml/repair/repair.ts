import type { Fix } from "../../diagnostics/diagnostic.ts";
import type { SourceFile } from "../../source/source-file.ts";
import type { Span } from "../../source/span.ts";

/** A guess at the one slip that broke a text, with the edits that would undo it. */
export interface Repair {
  /** What is wrong, to stand in a sentence: `a colon is missing behind "fields"`. */
  readonly reason: string;
  readonly advice: string;
  readonly title: string;
  readonly at: Span;
  readonly edits: Fix["edits"];
}

/** One line of a text, without its line break. */
export interface Line {
  readonly text: string;
  /** Offset of its first character. */
  readonly start: number;
}

/** `number` is 1-based. */
export function lineOf(file: SourceFile, number: number): Line {
  return { text: file.lineText(number), start: file.lineStarts[number - 1] ?? file.text.length };
}

/** A span of a line, by columns from 0. */
export function spanIn({ start }: Line, from: number, to: number): Span {
  return { start: start + from, end: start + to };
}

/** The text that is put into a line at a column. */
export function insertion(line: Line, column: number, text: string): Repair["edits"] {
  return [{ span: spanIn(line, column, column), text }];
}

/** The text after the edits, which touch nowhere. */
export function applyEdits(text: string, edits: Repair["edits"]): string {
  let result = text;
  for (const { span, text: put } of edits.toSorted((one, other) => other.span.start - one.span.start))
    result = result.slice(0, span.start) + put + result.slice(span.end);
  return result;
}
