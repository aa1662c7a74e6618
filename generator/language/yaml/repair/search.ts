import { SourceFile } from "../../source/source-file.ts";
import type { ParseFailure } from "../compose.ts";
import { delimiterRepairs } from "./delimiters.ts";
import { indentationRepairs } from "./indentation.ts";
import { keyRepairs } from "./keys.ts";
import { applyEdits, lineOf, type Repair } from "./repair.ts";
import { tabRepairs } from "./tabs.ts";

/** What a reading of a text comes to. */
export interface ParseOutcome {
  /** Where it is not YAML; absent if all of it is. */
  readonly failure?: ParseFailure;
  /** How many faults were found. */
  readonly faults: number;
}

/** Most characters read in search of a repair, all tries together: twelve times the platform's contract, about half a second. */
const maxCharacters = 900_000;
const maxTries = 24;
/** Longest line that is looked at; a line of a schema has a hundred characters. */
const maxLineLength = 1_000;
/** How many lines before the one where a fault is noticed are looked at for a slip. */
const nearLines = 3;
/** How far up a quote or bracket without its other end is looked for. */
const farLines = 200;

/**
 * The one slip that, undone, makes a text YAML. What the `yaml` package objects to lies often lines behind it, so that each
 * guess is tried: the first after which nothing is left to say is taken, else the one that lets most of the text be read.
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

/** The slip on the line of a fault in what is YAML, and says something else than was meant. */
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

/** The likeliest first, because the first that leaves nothing to say is taken. */
function candidateRepairs(file: SourceFile, failedLine: number): Repair[] {
  const near = numbers(failedLine, nearLines).filter((number) => isShort(file, number));
  const far = numbers(failedLine - nearLines - 1, farLines).filter((number) => isShort(file, number));
  const ends = (list: readonly number[]): Repair[] =>
    list.flatMap((number) => delimiterRepairs(lineOf(file, number)));
  return [
    ...(file.text.includes("\t") ? tabRepairs(file, failedLine) : []),
    ...ends(near),
    ...near.flatMap((number) => keyRepairs(lineOf(file, number))).filter(coversText),
    ...indentationRepairs(file, failedLine),
    ...ends(far),
  ];
}

function coversText({ at }: Repair): boolean {
  return at.end > at.start;
}

/** Numbers of lines, upwards from one. */
function numbers(from: number, count: number): number[] {
  return Array.from({ length: count + 1 }, (_, index) => from - index).filter((number) => number >= 1);
}

function isShort(file: SourceFile, number: number): boolean {
  const start = file.lineStarts[number - 1] ?? 0;
  const end = file.lineStarts[number] ?? file.text.length;
  return end - start <= maxLineLength;
}
