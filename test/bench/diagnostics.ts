import { plain } from "../../generator/language/diagnostics/paint.ts";
import { renderDiagnostic } from "../../generator/language/diagnostics/render.ts";
import type { BenchmarkOptions } from "./benchmark.ts";
import { corpus } from "./diagnostics/corpus.ts";
import { type Evaluation, evaluate } from "./diagnostics/evaluate.ts";
import { mutants } from "./diagnostics/mutants.ts";
import {
  brokenBounds,
  printScores,
  scoreOf,
  scoresByMutation,
  undetectedMutations,
} from "./diagnostics/score.ts";

/** Broken schemas per kind of edit. */
const perMutation = 30;

/** Quality of diagnostics: valid schemas are broken by one edit each, and the reports of ridlkit are scored. */
export async function benchDiagnostics({ seed }: BenchmarkOptions): Promise<readonly string[]> {
  const schemas = corpus();
  const evaluations = mutants(schemas, perMutation, seed).map(evaluate);
  const total = scoreOf("all", evaluations);
  const scores = scoresByMutation(evaluations);
  printScores([...scores, total]);
  console.log(
    `${schemas.length} valid schemas, ${total.broken} broken ones, ${total.valid} edits left a schema valid`,
  );
  const wanted = process.env["RIDLKIT_BENCH_SHOW"];
  if (wanted !== undefined) for (const evaluation of evaluations) show(evaluation, wanted);
  return [...brokenBounds(total), ...undetectedMutations(scores)];
}

/** Prints the cases behind a row: RIDLKIT_BENCH_SHOW=missed, or the name of a mutation. */
function show({ mutant, outcome, diagnostics, span, suggestion, fixed }: Evaluation, wanted: string): void {
  const isMissed =
    outcome !== "valid" && (!span || suggestion === false || fixed === false || diagnostics.length > 5);
  if (wanted === "missed" ? !isMissed : wanted !== mutant.mutation) return;
  const { at, schema } = mutant;
  const text = mutant.files[at.path] ?? "";
  const line = text.slice(
    text.lastIndexOf("\n", at.start - 1) + 1,
    (text.indexOf("\n", at.end) + 1 || text.length + 1) - 1,
  );
  console.log(
    `\n## ${mutant.mutation}, ${schema.name} ${at.path}: ${line}   (${JSON.stringify({ outcome, span, suggestion, fixed })})`,
  );
  console.log(
    diagnostics
      .slice(0, 6)
      .map((each) => renderDiagnostic(each, plain))
      .join(""),
  );
}
