import { SourceFile } from "../../source/source-file.ts";
import type { ParseFailure } from "../compose.ts";
import { delimiterRepairs } from "./delimiters.ts";
import { indentationRepairs } from "./indentation.ts";
import { keyRepairs } from "./keys.ts";
import { applyEdits, lineOf, type Repair } from "./repair.ts";
import { tabRepairs } from "./tabs.ts";

/** The result of parsing a file. */
export interface ParseOutcome {
  /** Where YAML parsing stopped. Absent if the file is valid YAML. */
  readonly failure?: ParseFailure;
  readonly faults: number;
}

/**
 * Maximum number of characters that all attempts to find a repair may parse: twelve times the platform's contract, or about half
 * a second.
 */
const maxCharacters = 900_000;
const maxTries = 24;
/** Maximum length of a line to examine. Lines of a schema have about a hundred characters. */
const maxLineLength = 1_000;
/** How many lines before the failure are searched for mistakes. */
const nearLines = 3;
/** How many lines before the failure are searched for unpaired quotes and brackets. */
const farLines = 200;

/**
 * Finds a single repair that makes a file valid YAML. The mistake is often lines before the position that the `yaml` package
 * reports, so each candidate is tried. Returns the first one that leaves no error, or else the one that lets parsing get furthest.
 */
export function repairOfSyntax(
  file: SourceFile,
  failure: ParseFailure,
  read: (file: SourceFile) => ParseOutcome,
): Repair | undefined {
  if (file.text.length > maxCharacters) return undefined;
  const failedLine = file.lineAt(failure.at);
  return bestRepair(file, candidateRepairs(file, failedLine), read, ({ failure: next }) => {
    if (next === undefined) return Number.POSITIVE_INFINITY;
    if (next.stage !== failure.stage) return next.stage === "nodes" ? file.text.length + next.at : undefined;
    return file.lineAt(next.at) > failedLine + 1 ? next.at : undefined;
  });
}

/** Finds a repair for a mistake that is still valid YAML, on the line of an error. */
export function repairOfLine(
  file: SourceFile,
  at: number,
  faults: number,
  read: (file: SourceFile) => ParseOutcome,
): Repair | undefined {
  if (file.text.length > maxCharacters) return undefined;
  const number = file.lineAt(at);
  const repairs = isShort(file, number)
    ? [...delimiterRepairs(lineOf(file, number)), ...keyRepairs(lineOf(file, number))]
    : [];
  return bestRepair(file, repairs, read, (outcome) =>
    outcome.failure === undefined && outcome.faults < faults ? faults : undefined,
  );
}

function bestRepair(
  file: SourceFile,
  repairs: readonly Repair[],
  read: (file: SourceFile) => ParseOutcome,
  scoreOf: (outcome: ParseOutcome) => number | undefined,
): Repair | undefined {
  const tries = Math.min(maxTries, Math.floor(maxCharacters / Math.max(1, file.text.length)));
  let found: { readonly repair: Repair; readonly score: number; readonly faults: number } | undefined;
  for (const repair of repairs.slice(0, tries)) {
    const outcome = read(new SourceFile(file.path, applyEdits(file.text, repair.edits)));
    if (outcome.faults === 0) return repair;
    const score = scoreOf(outcome);
    if (score === undefined) continue;
    const isBetter =
      found === undefined || score > found.score || (score === found.score && outcome.faults < found.faults);
    if (isBetter) found = { repair, score, faults: outcome.faults };
  }
  return found?.repair;
}

/** Ordered by likelihood, because the first candidate that leaves no error is taken. */
function candidateRepairs(file: SourceFile, failedLine: number): Repair[] {
  const near = lineNumbers(failedLine, nearLines).filter((number) => isShort(file, number));
  const far = lineNumbers(failedLine - nearLines - 1, farLines).filter((number) => isShort(file, number));
  const delimiters = (list: readonly number[]): Repair[] =>
    list.flatMap((number) => delimiterRepairs(lineOf(file, number)));
  return [
    ...(file.text.includes("\t") ? tabRepairs(file, failedLine) : []),
    ...delimiters(near),
    ...near.flatMap((number) => keyRepairs(lineOf(file, number))).filter(coversText),
    ...indentationRepairs(file, failedLine),
    ...delimiters(far),
  ];
}

function coversText({ at }: Repair): boolean {
  return at.end > at.start;
}

/** Returns `from` and up to `count` line numbers before it. */
function lineNumbers(from: number, count: number): number[] {
  return Array.from({ length: count + 1 }, (_, index) => from - index).filter((number) => number >= 1);
}

function isShort(file: SourceFile, number: number): boolean {
  const start = file.lineStarts[number - 1] ?? 0;
  const end = file.lineStarts[number] ?? file.text.length;
  return end - start <= maxLineLength;
}
