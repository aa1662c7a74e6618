import { expect, test } from "vitest";
import { randomContract } from "../../../fuzz/random-contract.ts";
import { findVerdictDifference, type Tally } from "../../../fuzz/validators.ts";
import { platformPlan } from "../../../support/platform-plan.ts";
import { seededRandom } from "../../../support/random.ts";
import { planOf } from "../../../support/sample-plan.ts";

/** `npm run fuzz -- validators` compares 100,000 values. */
test("on the platform's types, generated validators and plain ajv over the JSON Schema agree", () => {
  const tally: Tally = { accepted: 0, refused: 0 };
  expect(findVerdictDifference({ plan: platformPlan(), seed: 1, count: 2_000 }, tally)).toBeUndefined();
  expect(tally.accepted).toBeGreaterThan(750);
  expect(tally.refused).toBeGreaterThan(375);
});

test("on random contracts, they agree", () => {
  const tally: Tally = { accepted: 0, refused: 0 };
  for (let seed = 1; seed <= 8; seed++) {
    const plan = planOf({ "m.ridl": randomContract(seededRandom(seed)) }, "m.ridl");
    expect(findVerdictDifference({ plan, seed, count: 120 }, tally)).toBeUndefined();
  }
  expect(tally.accepted).toBeGreaterThan(300);
  expect(tally.refused).toBeGreaterThan(150);
});
