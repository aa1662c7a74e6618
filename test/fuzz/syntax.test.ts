import { expect, test } from "vitest";
import { seededRandom } from "../support/random.ts";
import { atoms, checkSyntax, everySequence, randomTexts } from "./syntax.ts";

const seed = 20_251;

test("the lexer and parser keep their invariants for every text of up to two atoms", () => {
  expect(checkSyntax(everySequence(atoms, 2))).toBeUndefined();
});

test(`the lexer and parser keep their invariants for 100,000 random texts (seed ${seed})`, () => {
  expect(checkSyntax(randomTexts(seededRandom(seed), 100_000))).toBeUndefined();
});
