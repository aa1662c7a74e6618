import { expect, test } from "vitest";
import { corpus } from "../../../bench/diagnostics/corpus.ts";
import { judge } from "../../../bench/diagnostics/judge.ts";
import { mutants } from "../../../bench/diagnostics/mutants.ts";
import {
  brokenBounds,
  scoreOf,
  scoresByMutation,
  silentMutations,
} from "../../../bench/diagnostics/score.ts";

/** The long form, with a table, is `npm run bench -- diagnostics --seed S`. */
const seed = 20_26;
const perMutation = 5;

test(`schemas with one invalid edit get the right diagnostic, seed ${seed}`, () => {
  const verdicts = mutants(corpus(), perMutation, seed).map(judge);
  const score = scoreOf("all", verdicts);
  expect(score.broken).toBeGreaterThan(300);
  expect([...brokenBounds(score), ...silentMutations(scoresByMutation(verdicts))]).toEqual([]);
});
