import { expect, test } from "vitest";
import { seededRandom } from "../support/random.ts";
import { atoms, checkSyntax, everySequence, randomTexts } from "./syntax.ts";

const seed = 20_251;

test("every text of up to two atoms is lexed and parsed lawfully", () => {
  expect(checkSyntax(everySequence(atoms, 2))).toBeUndefined();
});

test(`100,000 random texts are lexed and parsed lawfully (seed ${seed})`, () => {
  expect(checkSyntax(randomTexts(seededRandom(seed), 100_000))).toBeUndefined();
});
