import { compile } from "../../../generator/language/compile.ts";
import type { Diagnostic } from "../../../generator/language/diagnostics/diagnostic.ts";
import { applyFixes } from "../../../generator/language/diagnostics/fixes.ts";
import { type Files, memoryReader } from "../../support/memory-reader.ts";
import type { EditSpan, Mutant } from "./schema.ts";
import { isRecoverable } from "./typo.ts";

/** How well ridlkit reported an edit. */
export interface Evaluation {
  readonly mutant: Mutant;
  /** `valid`: ridlkit reported nothing, so there is nothing to score. */
  readonly outcome: "crash" | "valid" | "told";
  readonly diagnostics: readonly Diagnostic[];
  /** Whether the first diagnostic points at the edit: by line, and by its span. */
  readonly line: boolean;
  readonly span: boolean;
  /** Whether any diagnostic does. */
  readonly anywhere: boolean;
  /** Whether the original word is suggested. Undefined if it cannot be known. */
  readonly suggestion: boolean | undefined;
  /** Whether the schema compiles after all offered fixes. Undefined if none was offered. */
  readonly fixed: boolean | undefined;
}

/** Rounds of fixing and checking, as in `lint --fix`. */
const maxRounds = 10;

export function evaluate(mutant: Mutant): Evaluation {
  const nothing = { mutant, diagnostics: [], line: false, span: false, anywhere: false } as const;
  try {
    const diagnostics = lint(mutant, mutant.files);
    const [first] = diagnostics;
    if (first === undefined) return { ...nothing, outcome: "valid", suggestion: undefined, fixed: undefined };
    return {
      mutant,
      outcome: "told",
      diagnostics,
      line: places(mutant).some((place) => isOnLine(first, place, mutant.files)),
      span: hits(first, mutant),
      anywhere: diagnostics.some((each) => hits(each, mutant)),
      suggestion: judgeSuggestion(mutant, diagnostics),
      fixed: judgeFixes(mutant, diagnostics),
    };
  } catch (err) {
    console.log(`crash in ${mutant.schema.name}, ${mutant.mutation}:`, err);
    return { ...nothing, outcome: "crash", suggestion: undefined, fixed: undefined };
  }
}

function lint({ schema }: Mutant, files: Files): readonly Diagnostic[] {
  return compile(schema.entry, memoryReader(files)).diagnostics;
}

function places({ at, also }: Mutant): readonly EditSpan[] {
  return [at, ...also];
}

function isOnLine({ at }: Diagnostic, place: EditSpan, files: Files): boolean {
  if (at === undefined || at.file.path !== place.path) return false;
  const text = files[place.path] ?? "";
  const line = lineAt(text, at.span.start);
  return line >= lineAt(text, place.start) && line <= lineAt(text, Math.max(place.start, place.end - 1));
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** The span must cover the edit, or a neighbouring token if the edit is not a word. */
function hits(diagnostic: Diagnostic, mutant: Mutant): boolean {
  return places(mutant).some((place) => {
    const { at } = diagnostic;
    if (at === undefined || !isOnLine(diagnostic, place, mutant.files)) return false;
    const isWord = mutant.meant !== undefined || place !== mutant.at;
    const { start, end } = isWord ? place : withNeighbours(place, mutant.files[place.path] ?? "");
    return at.span.start <= end && at.span.end >= start;
  });
}

/** From the token before a position to the token after it. */
function withNeighbours(
  { start, end }: EditSpan,
  text: string,
): { readonly start: number; readonly end: number } {
  const before = /(\w+|[^\s\w])\s*$/.exec(text.slice(0, start))?.index ?? start;
  const after = /^\s*(\w+|[^\s\w])/.exec(text.slice(end))?.[0].length ?? 0;
  return { start: before, end: end + after };
}

function judgeSuggestion({ meant }: Mutant, diagnostics: readonly Diagnostic[]): boolean | undefined {
  if (meant === undefined || !isRecoverable(meant.word, meant.found, meant.among)) return undefined;
  const [first] = diagnostics;
  return proposed(first) === meant.word;
}

/** The first quoted word of "Did you mean …?", otherwise the replacement of the fix. */
function proposed(diagnostic: Diagnostic | undefined): string | undefined {
  const said = /[Dd]id you mean "([^"]+)"/.exec(`${diagnostic?.advice} ${diagnostic?.message}`);
  return said?.[1] ?? diagnostic?.fix?.edits[0]?.text;
}

function judgeFixes(mutant: Mutant, found: readonly Diagnostic[]): boolean | undefined {
  if (!found.some(({ fix }) => fix !== undefined)) return undefined;
  let files: Files = mutant.files;
  let diagnostics = found;
  for (let round = 0; round < maxRounds && diagnostics.some(({ fix }) => fix !== undefined); round++) {
    const fixed = applyFixes(diagnostics).files;
    files = { ...files, ...Object.fromEntries(fixed.map(({ file, text }) => [file.path, text])) };
    diagnostics = lint(mutant, files);
  }
  return !diagnostics.some(({ severity }) => severity === "error");
}
