import type { Span } from "../language/source/span.ts";

/** A span of a file and its replacement. */
export interface Edit {
  readonly path: string;
  readonly span: Span;
  readonly text: string;
}

/** Applies edits, which must not overlap. Insertions at the same position keep their order. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const ordered = [...edits].sort((a, b) => a.span.start - b.span.start);
  const parts: string[] = [];
  let at = 0;
  for (const { span, text: replacement } of ordered) {
    if (span.start < at) throw new Error("two edits of one text overlap");
    parts.push(text.slice(at, span.start), replacement);
    at = span.end;
  }
  return parts.join("") + text.slice(at);
}

/** Removes duplicate edits. */
export function distinctEdits(edits: readonly Edit[]): Edit[] {
  const seen = new Map<string, Edit>();
  for (const edit of edits) {
    const key = `${edit.path}\0${edit.span.start}\0${edit.span.end}\0${edit.text}`;
    if (!seen.has(key)) seen.set(key, edit);
  }
  return [...seen.values()];
}
