import { expect, test } from "vitest";
import { webhookRounds } from "../../crash/webhooks.ts";
import { makeData } from "../../support/host.ts";
import { seededRandom } from "../../support/random.ts";
import { noSandbox } from "../../support/sandbox.ts";

// The host runs its own Postgres here, whatever the other tests use.
test.skipIf(noSandbox || process.env["TEST_DATABASE_URL"] !== undefined)(
  "receivers know what the chain says though blocks leave and host and Postgres are killed (seed 5; `npm run crash -- webhooks` has the long form)",
  async () => {
    await using data = await makeData();
    const report = await webhookRounds(data, 3, 100, seededRandom(5));
    expect(report).toMatchObject({ missing: 0, surplus: 0, faults: [] });
    expect(report.onChain).toBeGreaterThan(50);
    expect(Object.values(report.kills).some((kills) => kills > 0)).toBe(true);
  },
  240_000,
);
