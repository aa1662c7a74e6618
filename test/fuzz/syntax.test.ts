import { expect, test } from "vitest";
import { seededRandom } from "../support/random.ts";
import { atoms, checkSyntax, everySequence, randomTexts } from "./syntax.ts";

const seed = 20_251;
/** `npm run fuzz -- syntax` tests 100,000, and every text of up to three atoms. */
const count = 20_000;

test("the lexer and parser keep their invariants for every text of up to two atoms", () => {
  expect(checkSyntax(everySequence(atoms, 2))).toBeUndefined();
});

test(`the lexer and parser keep their invariants for ${count} random texts (seed ${seed})`, () => {
  expect(checkSyntax(randomTexts(seededRandom(seed), count))).toBeUndefined();
});
