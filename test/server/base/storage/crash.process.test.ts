import { expect, test } from "vitest";
import { crashRounds } from "../../../crash/rounds.ts";
import { makeEmbeddedData } from "../../../support/host.ts";
import { seededRandom } from "../../../support/random.ts";

test("no acknowledged row is lost when the host, Postgres, or both are killed (seed 7; `npm run crash` has the long form)", async () => {
  await using data = await makeEmbeddedData();
  const { written, lost } = await crashRounds(data, 3, seededRandom(7));
  expect(written).toBeGreaterThan(0);
  expect(lost).toBe(0);
});
