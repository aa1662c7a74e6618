/** A range of a source text in UTF-16 code units: `start` is inclusive, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Returns the smallest span that covers both: `{2,4}`, `{7,9}` → `{2,9}`. */
export function cover(first: Span, last: Span): Span {
  return { start: Math.min(first.start, last.start), end: Math.max(first.end, last.end) };
}
