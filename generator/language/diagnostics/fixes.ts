import type { SourceFile } from "../source/source-file.ts";
import type { Diagnostic, Fix } from "./diagnostic.ts";

export interface FixedFile {
  readonly file: SourceFile;
  readonly text: string;
}

export interface FixResult {
  readonly files: readonly FixedFile[];
  /** Fixes that were applied. A fix that overlaps an earlier one waits for the next run. */
  readonly applied: readonly Fix[];
}

type Edit = Fix["edits"][number];

/** Applies the fixes of diagnostics in order. A fix is applied with all of its edits or not at all. */
export function applyFixes(diagnostics: readonly Diagnostic[]): FixResult {
  const byPath = new Map<string, { readonly file: SourceFile; readonly edits: Edit[] }>();
  const applied: Fix[] = [];
  for (const { fix } of diagnostics) {
    if (fix === undefined) continue;
    const target = byPath.get(fix.file.path) ?? { file: fix.file, edits: [] };
    byPath.set(fix.file.path, target);
    const newEdits = fix.edits.filter((edit) => !target.edits.some((other) => isSame(edit, other)));
    if (newEdits.some((edit) => target.edits.some((other) => touches(edit, other)))) continue;
    applied.push(fix);
    target.edits.push(...newEdits);
  }
  const files = [...byPath.values()].map(({ file, edits }) => ({ file, text: editedText(file.text, edits) }));
  return { files: files.filter(({ file, text }) => text !== file.text), applied };
}

/** Two diagnostics may need the same edit: for example, two types that lack the same import. */
function isSame(one: Edit, other: Edit): boolean {
  return one.span.start === other.span.start && one.span.end === other.span.end && one.text === other.text;
}

/** Adjacent edits count too, because they could join two words. */
function touches({ span: one }: Edit, { span: other }: Edit): boolean {
  return one.start <= other.end && other.start <= one.end;
}

/** Returns the end of the line before a position; in the first line, of that line. */
function lineEndAt(text: string, at: number): string {
  const before = text.lastIndexOf("\n", at - 1);
  const end = before === -1 ? text.indexOf("\n") : before;
  return text[end - 1] === "\r" ? "\r\n" : "\n";
}

/** Applies edits that do not overlap, in any order. Inserted lines end like the lines around them. */
export function editedText(text: string, edits: readonly Edit[]): string {
  let result = text;
  for (const { span, text: inserted } of edits.toSorted((a, b) => b.span.start - a.span.start)) {
    result =
      result.slice(0, span.start) +
      inserted.replaceAll(/\r?\n/g, lineEndAt(text, span.start)) +
      result.slice(span.end);
  }
  return result;
}
