import { expect, test } from "vitest";
import { eventStreamRounds } from "../../crash/events.ts";
import { seededRandom } from "../../support/random.ts";
import { noSandbox } from "../../support/sandbox.ts";
import { startSharedPostgres } from "../../support/shared-postgres.ts";

test.skipIf(noSandbox)(
  "readers of SubscribeEvents get each item once despite reorganizations, cut connections and crashes of two hosts (seed 3; long form: `npm run crash -- events`)",
  async () => {
    await using postgres = await startSharedPostgres();
    const report = await eventStreamRounds(postgres.url, 6, seededRandom(3));
    expect(report).toMatchObject({ lost: 0, twice: 0, missing: 0, surplus: 0, faults: 0 });
    expect(report.removals).toBeGreaterThan(50);
    expect(report.kills).toBeGreaterThan(0);
    expect(report.proxy.resets + report.proxy.ends).toBeGreaterThan(20);
  },
  240_000,
);
