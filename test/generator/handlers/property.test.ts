import { expect, test } from "vitest";
import { checkScaffold } from "../../fuzz/scaffold/check.ts";
import { seededRandom } from "../../support/random.ts";

/** `npm run fuzz -- scaffold` runs thousands. */
const count = Number(process.env["SCAFFOLD_CASES"] ?? 10);
const seed = Number(process.env["SCAFFOLD_SEED"] ?? 20_261);
const timeout = 60_000 + count * 5_000;

test("handlers of every style follow every edit of the schema, and no code is lost", {
  timeout,
}, () => {
  const random = seededRandom(seed);
  const kinds = new Map<string, number>();
  for (let index = 0; index < count; index++) {
    const { kind, complaint } = checkScaffold(random);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    expect(complaint, `seed ${seed}, case ${index}, ${kind}`).toBeUndefined();
  }
  expect([...kinds.keys()]).not.toContain("at rest");
});
