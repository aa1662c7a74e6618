import { expect, test } from "vitest";
import { corpus } from "../../../bench/diagnostics/corpus.ts";
import { evaluate } from "../../../bench/diagnostics/evaluate.ts";
import { mutants } from "../../../bench/diagnostics/mutants.ts";
import {
  brokenBounds,
  scoreOf,
  scoresByMutation,
  undetectedMutations,
} from "../../../bench/diagnostics/score.ts";

/** The long form, with a table, is `npm run bench -- diagnostics --seed S`. */
const seed = 20_26;
const perMutation = 2;

test(`schemas with one invalid edit get the right diagnostic, seed ${seed}`, () => {
  const evaluations = mutants(corpus(), perMutation, seed).map(evaluate);
  const score = scoreOf("all", evaluations);
  expect(score.broken).toBeGreaterThan(120);
  expect([...brokenBounds(score), ...undetectedMutations(scoresByMutation(evaluations))]).toEqual([]);
});
