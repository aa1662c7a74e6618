import { plain } from "../../generator/language/diagnostics/paint.ts";
import { renderDiagnostic } from "../../generator/language/diagnostics/render.ts";
import { corpus } from "./diagnostics/corpus.ts";
import { judge, type Verdict } from "./diagnostics/judge.ts";
import { mutants } from "./diagnostics/mutants.ts";
import {
  brokenBounds,
  printScores,
  scoreOf,
  scoresByMutation,
  silentMutations,
} from "./diagnostics/score.ts";
import type { PartOptions } from "./part.ts";

/** Broken schemas of each kind of edit. */
const perMutation = 30;

/** How well faults are told: valid schemas broken by one edit each, and what ridlkit says of them. */
export async function benchDiagnostics({ seed }: PartOptions): Promise<readonly string[]> {
  const schemas = corpus();
  const verdicts = mutants(schemas, perMutation, seed).map(judge);
  const total = scoreOf("all", verdicts);
  const scores = scoresByMutation(verdicts);
  printScores([...scores, total]);
  console.log(
    `${schemas.length} valid schemas, ${total.broken} broken ones, ${total.valid} edits left a schema valid`,
  );
  const wanted = process.env["RIDLKIT_BENCH_SHOW"];
  if (wanted !== undefined) for (const verdict of verdicts) show(verdict, wanted);
  return [...brokenBounds(total), ...silentMutations(scores)];
}

/** For whoever wants to see what is behind a row: RIDLKIT_BENCH_SHOW=missed, or the name of a mutation. */
function show({ mutant, outcome, diagnostics, span, suggestion, mended }: Verdict, wanted: string): void {
  const isMissed =
    outcome !== "valid" && (!span || suggestion === false || mended === false || diagnostics.length > 5);
  if (wanted === "missed" ? !isMissed : wanted !== mutant.mutation) return;
  const { at, schema } = mutant;
  const text = mutant.files[at.path] ?? "";
  const line = text.slice(
    text.lastIndexOf("\n", at.start - 1) + 1,
    (text.indexOf("\n", at.end) + 1 || text.length + 1) - 1,
  );
  console.log(
    `\n## ${mutant.mutation}, ${schema.name} ${at.path}: ${line}   (${JSON.stringify({ outcome, span, suggestion, mended })})`,
  );
  console.log(
    diagnostics
      .slice(0, 6)
      .map((each) => renderDiagnostic(each, plain))
      .join(""),
  );
}
