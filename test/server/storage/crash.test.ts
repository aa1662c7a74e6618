import { expect, test } from "vitest";
import { crashRounds } from "../../crash/rounds.ts";
import { makeData } from "../../support/host.ts";
import { seededRandom } from "../../support/random.ts";

// The host runs its own Postgres here, whatever the other tests use.
test.skipIf(process.env["TEST_DATABASE_URL"] !== undefined)(
  "no acknowledged row is lost when the host, Postgres, or both are killed (seed 7; `npm run crash` has the long form)",
  async () => {
    await using data = await makeData();
    const { written, lost } = await crashRounds(data, 3, seededRandom(7));
    expect(written).toBeGreaterThan(0);
    expect(lost).toBe(0);
  },
);
