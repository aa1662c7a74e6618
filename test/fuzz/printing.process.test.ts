import { expect, test } from "vitest";
import { seededRandom } from "../support/random.ts";
import { readCorpus } from "./corpus.ts";
import { complaintAboutPrinting, type PrintTally, randomSchemas } from "./printing.ts";

const seed = 20_261;
const corpus = readCorpus([]).filter(({ kind }) => kind === "ridl");

test("formatting keeps the IR and hash of every schema in the corpus, and is idempotent", () => {
  const tally = newTally();
  expect(corpus.flatMap((request) => complaintAboutPrinting(request, tally) ?? [])).toEqual([]);
  expect(tally.formatted).toBeGreaterThan(400);
});

test(`formatting keeps the IR and hash of 1,000 random schemas (seed ${seed})`, () => {
  const tally = newTally();
  // Unchanged members of the corpus were checked above.
  const known = new Set(corpus);
  const random = [...randomSchemas(seededRandom(seed), corpus, 1_000)].filter(
    (request) => !known.has(request),
  );
  const complaints = random.flatMap((request) => complaintAboutPrinting(request, tally) ?? []);
  expect(complaints.slice(0, 3)).toEqual([]);
  expect(tally.compared).toBeGreaterThan(170);
});

function newTally(): PrintTally {
  return { formatted: 0, faulty: 0, refused: 0, compared: 0 };
}
