import { SourceFile } from "../../source/source-file.ts";
import type { Broken } from "../compose.ts";
import { endsOn } from "./ends.ts";
import { indentations } from "./indentation.ts";
import { lineOf, type Repair, repaired } from "./repair.ts";
import { slipsOn } from "./slips.ts";
import { tabs } from "./tabs.ts";

/** What a reading of a text comes to. */
export interface Outcome {
  /** Where it is not YAML; absent if all of it is. */
  readonly broken?: Broken;
  /** How many faults were found. */
  readonly faults: number;
}

/** Most characters read in search of a repair, all tries together: twelve times the platform's contract, about half a second. */
const maxCharacters = 900_000;
const maxTries = 24;
/** Longest line that is looked at; a line of a schema has a hundred characters. */
const maxLineLength = 1_000;
/** How many lines before the one where a fault is noticed are looked at for a slip. */
const reach = 3;
/** How far up a quote or bracket without its other end is looked for. */
const farReach = 200;

/**
 * The one slip that, undone, makes a text YAML. What the `yaml` package objects to lies often lines behind it, so that each
 * guess is tried: the first after which nothing is left to say is taken, else the one that lets most of the text be read.
 */
export function repairOfSyntax(
  file: SourceFile,
  broken: Broken,
  read: (file: SourceFile) => Outcome,
): Repair | undefined {
  if (file.text.length > maxCharacters) return undefined;
  const noticed = file.lineAt(broken.at);
  return best(file, guesses(file, noticed), read, ({ broken: next }) => {
    if (next === undefined) return Number.POSITIVE_INFINITY;
    if (next.stage !== broken.stage) return next.stage === "nodes" ? file.text.length + next.at : undefined;
    return file.lineAt(next.at) > noticed + 1 ? next.at : undefined;
  });
}

/** The slip on the line of a fault in what is YAML, and says something else than was meant. */
export function repairOfLine(
  file: SourceFile,
  at: number,
  faults: number,
  read: (file: SourceFile) => Outcome,
): Repair | undefined {
  if (file.text.length > maxCharacters) return undefined;
  const number = file.lineAt(at);
  const repairs = isShort(file, number)
    ? [...endsOn(lineOf(file, number)), ...slipsOn(lineOf(file, number))]
    : [];
  return best(file, repairs, read, (outcome) =>
    outcome.broken === undefined && outcome.faults < faults ? faults : undefined,
  );
}

function best(
  file: SourceFile,
  repairs: readonly Repair[],
  read: (file: SourceFile) => Outcome,
  gain: (outcome: Outcome) => number | undefined,
): Repair | undefined {
  const tries = Math.min(maxTries, Math.floor(maxCharacters / Math.max(1, file.text.length)));
  let found: { readonly repair: Repair; readonly gained: number; readonly faults: number } | undefined;
  for (const repair of repairs.slice(0, tries)) {
    const outcome = read(new SourceFile(file.path, repaired(file.text, repair.edits)));
    if (outcome.faults === 0) return repair;
    const gained = gain(outcome);
    if (gained === undefined) continue;
    const isBetter =
      found === undefined ||
      gained > found.gained ||
      (gained === found.gained && outcome.faults < found.faults);
    if (isBetter) found = { repair, gained, faults: outcome.faults };
  }
  return found?.repair;
}

/** The likeliest first, because the first that leaves nothing to say is taken. */
function guesses(file: SourceFile, noticed: number): Repair[] {
  const near = numbers(noticed, reach).filter((number) => isShort(file, number));
  const far = numbers(noticed - reach - 1, farReach).filter((number) => isShort(file, number));
  const ends = (list: readonly number[]): Repair[] => list.flatMap((number) => endsOn(lineOf(file, number)));
  return [
    ...(file.text.includes("\t") ? tabs(file, noticed) : []),
    ...ends(near),
    ...near.flatMap((number) => slipsOn(lineOf(file, number))).filter(isNoText),
    ...indentations(file, noticed),
    ...ends(far),
  ];
}

function isNoText({ at }: Repair): boolean {
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
