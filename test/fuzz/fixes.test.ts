import { expect, test } from "vitest";
import { seededRandom } from "../support/random.ts";
import { readCorpus } from "./corpus.ts";
import { checkFixes } from "./fixes.ts";

const seed = 20_262;
/** `npm run fuzz -- fixes` tests 10,000. */
const count = 1_500;

test(`fixes keep the meaning of ${count} changed schemas, and add no error (seed ${seed})`, () => {
  const { complaint, tally } = checkFixes(seededRandom(seed), readCorpus([]), count);
  expect(complaint).toBeUndefined();
  expect(tally).toMatchObject({ schemas: count, dropped: 0 });
  expect(tally.fixes).toBeGreaterThan(count / 4);
}, 300_000);
