import { expect, test } from "vitest";
import { webhookRounds } from "../../crash/webhooks.ts";
import { makeEmbeddedData } from "../../support/host.ts";
import { seededRandom } from "../../support/random.ts";
import { noSandbox } from "../../support/sandbox.ts";

test.skipIf(noSandbox)(
  "receivers end up with the chain's events despite reorganizations and crashes of host and Postgres (seed 5; long form: `npm run crash -- webhooks`)",
  async () => {
    await using data = await makeEmbeddedData();
    const report = await webhookRounds(data, 3, 100, seededRandom(5));
    expect(report).toMatchObject({ missing: 0, surplus: 0, faults: [] });
    expect(report.onChain).toBeGreaterThan(50);
    expect(Object.values(report.kills).some((kills) => kills > 0)).toBe(true);
  },
  240_000,
);
