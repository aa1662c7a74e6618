import type { SourceFile } from "../source/source-file.ts";
import type { Diagnostic, Fix } from "./diagnostic.ts";

/** One file after its fixes. */
export interface FixedFile {
  readonly file: SourceFile;
  readonly text: string;
}

export interface FixResult {
  readonly files: readonly FixedFile[];
  /** Fixes that were carried out. Those that touch the place of an earlier one wait for the next run. */
  readonly applied: readonly Fix[];
}

type Edit = Fix["edits"][number];

/** Carries out the fixes of diagnostics, the first one first. A fix is done with all of its edits or not at all. */
export function applyFixes(diagnostics: readonly Diagnostic[]): FixResult {
  const byPath = new Map<string, { readonly file: SourceFile; readonly edits: Edit[] }>();
  const applied: Fix[] = [];
  for (const { fix } of diagnostics) {
    if (fix === undefined) continue;
    const target = byPath.get(fix.file.path) ?? { file: fix.file, edits: [] };
    byPath.set(fix.file.path, target);
    const fresh = fix.edits.filter((edit) => !target.edits.some((other) => isSame(edit, other)));
    if (fresh.some((edit) => target.edits.some((other) => touches(edit, other)))) continue;
    applied.push(fix);
    target.edits.push(...fresh);
  }
  const files = [...byPath.values()].map(({ file, edits }) => ({ file, text: editedText(file.text, edits) }));
  return { files: files.filter(({ file, text }) => text !== file.text), applied };
}

/** Two faults may ask for one edit, as two types that lack the same import. */
function isSame(one: Edit, other: Edit): boolean {
  return one.span.start === other.span.start && one.span.end === other.span.end && one.text === other.text;
}

/** Edits that only meet at their ends could still make one word of two. */
function touches({ span: one }: Edit, { span: other }: Edit): boolean {
  return one.start <= other.end && other.start <= one.end;
}

/** A text after edits that do not overlap, in any order. */
export function editedText(text: string, edits: readonly Edit[]): string {
  let result = text;
  for (const { span, text: inserted } of edits.toSorted((a, b) => b.span.start - a.span.start)) {
    result = result.slice(0, span.start) + inserted + result.slice(span.end);
  }
  return result;
}
