import type { Diagnostic, Fix } from "./diagnostics/diagnostic.ts";
import type { SourceFile } from "./source/source-file.ts";

export interface FixedFile {
  /** The file before the first fix. */
  readonly file: SourceFile;
  readonly text: string;
  /** Titles of the fixes, in the order in which they were applied. */
  readonly fixes: readonly string[];
}

export interface FixedFiles {
  readonly files: readonly FixedFile[];
  /** Fixes that would have added an error. Always empty, unless the code that offers the fix has a bug. */
  readonly dropped: readonly Fix[];
}

/** A file of another language, imported by mistake, is parsed as RIDL, but must not be changed. */
const schemaFile: RegExp = /\.(ridl|ya?ml)$/;

/** Compiles as if files had other texts, by path, and returns all diagnostics, each once. */
export type CompileTexts = (texts: ReadonlyMap<string, string>) => readonly Diagnostic[];

/**
 * Maximum number of passes. Fixes that touch each other are applied one after the other, and a name that several files use is fixed
 * in one file per pass. A schema that needs more passes needs a second run.
 */
const maxPasses = 50;

/**
 * Applies the fixes that `accepts` returns `true` for, in memory, and compiles again until none is left. Never applies a suggestion. If
 * a pass adds an error, half of its fixes are tried, down to the one that adds the error, which is dropped.
 */
export function fixFiles(check: CompileTexts, accepts: (fix: Fix) => boolean): FixedFiles {
  let fixed: ReadonlyMap<string, FixedFile> = new Map();
  let found = check(new Map());
  const dropped = new Map<string, Fix>();
  for (let pass = 0; pass < maxPasses; pass++) {
    let pending = found.filter(
      ({ fix, message }) =>
        fix !== undefined &&
        schemaFile.test(fix.file.path) &&
        accepts(fix) &&
        !dropped.has(keyOf(fix, message)),
    );
    for (let isDone = false; !isDone; ) {
      const next = withFixes(fixed, pending);
      if (next === undefined) return { files: [...fixed.values()], dropped: [...dropped.values()] };
      const after = check(textsOf(next));
      const [only] = pending;
      if (!hasNewError(found, after)) [fixed, found, isDone] = [next, after, true];
      else if (pending.length > 1) pending = pending.slice(0, Math.ceil(pending.length / 2));
      else if (only?.fix !== undefined) {
        dropped.set(keyOf(only.fix, only.message), only.fix);
        isDone = true;
      }
    }
  }
  return { files: [...fixed.values()], dropped: [...dropped.values()] };
}

function keyOf({ file, title }: Fix, message: string): string {
  return `${file.path}\n${title}\n${message}`;
}

/** Returns the files after the next fixes, or undefined if these change nothing. */
function withFixes(
  fixed: ReadonlyMap<string, FixedFile>,
  diagnostics: readonly Diagnostic[],
): ReadonlyMap<string, FixedFile> | undefined {
  const { files, applied } = applyFixes(diagnostics);
  if (files.length === 0) return undefined;
  const next = new Map(fixed);
  for (const { file, text } of files) {
    const earlier = fixed.get(file.path);
    const titles = applied.filter((fix) => fix.file.path === file.path).map(({ title }) => title);
    next.set(file.path, {
      file: earlier?.file ?? file,
      text,
      fixes: [...(earlier?.fixes ?? []), ...titles],
    });
  }
  return next;
}

function textsOf(fixed: ReadonlyMap<string, FixedFile>): ReadonlyMap<string, string> {
  return new Map([...fixed].map(([path, { text }]) => [path, text]));
}

/** Compares by code, file and message, because fixes move lines. Of more than 100 errors, only the shown ones are known. */
function hasNewError(before: readonly Diagnostic[], after: readonly Diagnostic[]): boolean {
  const counts = new Map<string, number>();
  const errorsOf = (diagnostics: readonly Diagnostic[]): string[] =>
    diagnostics
      .filter(({ severity, name }) => severity === "error" && name !== "too-many")
      .map(({ code, path, message }) => `${code} ${path} ${message}`);
  if (before.some(({ name }) => name === "too-many")) return errorsOf(after).length > errorsOf(before).length;
  for (const key of errorsOf(before)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return errorsOf(after).some((key) => {
    const left = (counts.get(key) ?? 0) - 1;
    counts.set(key, left);
    return left < 0;
  });
}

interface FixResult {
  /** The files with another text. */
  readonly files: readonly Pick<FixedFile, "file" | "text">[];
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
