import type { Evaluation } from "./evaluate.ts";

/** A count out of a total. */
export interface Share {
  readonly hits: number;
  readonly of: number;
}

export interface Score {
  readonly name: string;
  readonly broken: number;
  /** Edits that left the schema valid, which count nowhere else. */
  readonly valid: number;
  readonly crashes: number;
  readonly line: Share;
  readonly span: Share;
  readonly anywhere: Share;
  readonly suggestion: Share;
  readonly fixed: Share;
  /** Most follow-up diagnostics after the first. */
  readonly followUps: number;
}

/** Required shares over all mutations. */
export const bounds = { line: 0.95, span: 0.95, suggestion: 0.85, fixed: 0.9, followUps: 4 } as const;

export function scoreOf(name: string, verdicts: readonly Evaluation[]): Score {
  const told = verdicts.filter(({ outcome }) => outcome === "told");
  const share = (pick: (verdict: Evaluation) => boolean | undefined): Share => {
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
    fixed: share(({ fixed }) => fixed),
    followUps: Math.max(0, ...told.map(({ diagnostics }) => diagnostics.length - 1)),
  };
}

export function scoresByMutation(verdicts: readonly Evaluation[]): Score[] {
  const names = [...new Set(verdicts.map(({ mutant }) => mutant.mutation))];
  return names.map((name) =>
    scoreOf(
      name,
      verdicts.filter(({ mutant }) => mutant.mutation === name),
    ),
  );
}

/** Returns a sentence for each missed bound. */
export function brokenBounds(score: Score): string[] {
  const shares = (["line", "span", "suggestion", "fixed"] as const).flatMap((key) => {
    const { hits, of } = score[key];
    return hits >= bounds[key] * of ? [] : [`${key}: ${hits} of ${of} is below ${bounds[key] * 100} %`];
  });
  if (score.crashes > 0) shares.push(`${score.crashes} crashes`);
  if (score.followUps > bounds.followUps) shares.push(`${score.followUps} follow-ups for one mistake`);
  return shares;
}

/** Edits that the language allows: indentation, blanks for commas, a file that is imported twice. */
const lawful: ReadonlySet<string> = new Set([
  "an import twice",
  "no comma",
  "no indentation",
  "two lines joined",
]);

/**
 * Returns mutations that ridlkit reports in less than half of the cases, so that an unchecked rule is not mistaken for edits that leave
 * schemas valid. Some edits do leave them valid: an annotation takes any text, and `name` may become `nme`.
 */
export function undetectedMutations(scores: readonly Score[]): string[] {
  return scores
    .filter(({ name, broken, valid, crashes }) => !lawful.has(name) && valid > broken + crashes)
    .map(({ name, broken, valid }) => `nothing is said of ${valid} of ${broken + valid} schemas: ${name}`);
}

export function printScores(scores: readonly Score[]): void {
  const width = Math.max(...scores.map(({ name }) => name.length));
  const cell = ({ hits, of }: Share): string =>
    (of === 0 ? "-" : `${hits}/${of} ${((100 * hits) / of).toFixed(0).padStart(3)}%`).padStart(15);
  const titles = ["line", "span", "span, any", "suggestion", "fixed"]
    .map((title) => title.padStart(15))
    .join("");
  console.log(`${"".padEnd(width)} broken valid crash${titles} follow-ups`);
  for (const score of scores) {
    const counts = `${String(score.broken).padStart(6)} ${String(score.valid).padStart(5)} ${String(score.crashes).padStart(5)}`;
    const cells = [score.line, score.span, score.anywhere, score.suggestion, score.fixed].map(cell).join("");
    console.log(`${score.name.padEnd(width)} ${counts}${cells} ${String(score.followUps).padStart(10)}`);
  }
}
