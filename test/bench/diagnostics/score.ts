import type { Verdict } from "./judge.ts";

/** How many of how many. */
export interface Share {
  readonly hits: number;
  readonly of: number;
}

export interface Score {
  readonly name: string;
  readonly broken: number;
  /** Edits that left the schema valid; they count nowhere else. */
  readonly valid: number;
  readonly crashes: number;
  readonly line: Share;
  readonly span: Share;
  readonly anywhere: Share;
  readonly suggestion: Share;
  readonly mended: Share;
  /** Most diagnostics beyond the first. */
  readonly followUps: number;
}

/** What has to hold over all mutations; each with the share that was agreed on. */
export const bounds = { line: 0.95, span: 0.95, suggestion: 0.85, mended: 0.9, followUps: 4 } as const;

export function scoreOf(name: string, verdicts: readonly Verdict[]): Score {
  const told = verdicts.filter(({ outcome }) => outcome === "told");
  const share = (pick: (verdict: Verdict) => boolean | undefined): Share => {
    const judged = told.map(pick).filter((hit) => hit !== undefined);
    return { hits: judged.filter(Boolean).length, of: judged.length };
  };
  return {
    name,
    broken: told.length,
    valid: verdicts.filter(({ outcome }) => outcome === "valid").length,
    crashes: verdicts.filter(({ outcome }) => outcome === "crash").length,
    line: share(({ line }) => line),
    span: share(({ span }) => span),
    anywhere: share(({ anywhere }) => anywhere),
    suggestion: share(({ suggestion }) => suggestion),
    mended: share(({ mended }) => mended),
    followUps: Math.max(0, ...told.map(({ diagnostics }) => diagnostics.length - 1)),
  };
}

export function scoresByMutation(verdicts: readonly Verdict[]): Score[] {
  const names = [...new Set(verdicts.map(({ mutant }) => mutant.mutation))];
  return names.map((name) =>
    scoreOf(
      name,
      verdicts.filter(({ mutant }) => mutant.mutation === name),
    ),
  );
}

/** The bounds that do not hold, each as one sentence. */
export function brokenBounds(score: Score): string[] {
  const shares = (["line", "span", "suggestion", "mended"] as const).flatMap((key) => {
    const { hits, of } = score[key];
    return hits >= bounds[key] * of ? [] : [`${key}: ${hits} of ${of} is below ${bounds[key] * 100} %`];
  });
  if (score.crashes > 0) shares.push(`${score.crashes} crashes`);
  if (score.followUps > bounds.followUps) shares.push(`${score.followUps} follow-ups for one mistake`);
  return shares;
}

/** Edits that the language allows: indentation, blanks for commas, a file that is reached on two ways. */
const lawful: ReadonlySet<string> = new Set([
  "an import twice",
  "no comma",
  "no indentation",
  "two lines joined",
]);

/**
 * The mutations of which ridlkit says nothing more often than something, so that a law that nobody looks after does not pass as edits
 * that left the schema valid. Of the others a few do: the value of an annotation is any text, and `name` may become `nme`.
 */
export function silentMutations(scores: readonly Score[]): string[] {
  return scores
    .filter(({ name, broken, valid, crashes }) => !lawful.has(name) && valid > broken + crashes)
    .map(({ name, broken, valid }) => `nothing is said of ${valid} of ${broken + valid} schemas: ${name}`);
}

export function printScores(scores: readonly Score[]): void {
  const width = Math.max(...scores.map(({ name }) => name.length));
  const cell = ({ hits, of }: Share): string =>
    (of === 0 ? "-" : `${hits}/${of} ${((100 * hits) / of).toFixed(0).padStart(3)}%`).padStart(15);
  const titles = ["line", "span", "span, any", "suggestion", "mended"]
    .map((title) => title.padStart(15))
    .join("");
  console.log(`${"".padEnd(width)} broken valid crash${titles} follow-ups`);
  for (const score of scores) {
    const counts = `${String(score.broken).padStart(6)} ${String(score.valid).padStart(5)} ${String(score.crashes).padStart(5)}`;
    const cells = [score.line, score.span, score.anywhere, score.suggestion, score.mended].map(cell).join("");
    console.log(`${score.name.padEnd(width)} ${counts}${cells} ${String(score.followUps).padStart(10)}`);
  }
}
