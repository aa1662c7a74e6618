import { expect, test } from "vitest";
import { isNetZero, reorganizationRounds, reorganizationWindow } from "../../crash/reorganizations.ts";
import { makeEmbeddedData } from "../../support/host.ts";
import { seededRandom } from "../../support/random.ts";
import { noSandbox } from "../../support/sandbox.ts";

const depths = [2, reorganizationWindow - 1, reorganizationWindow, reorganizationWindow + 1, 150];

test.skipIf(noSandbox)(
  `receivers of head, safe and final events end up with the chain's events after reorganizations of depth ${depths} and crashes (seed 4; long form: \`npm run crash -- reorganizations\`)`,
  async () => {
    await using data = await makeEmbeddedData();
    const report = await reorganizationRounds(data, depths, seededRandom(4));
    expect(report).toSatisfy(isNetZero);
    expect(report.past.listeners).toBe(depths.length);
    expect(report.kills).toBeGreaterThan(1);
    expect(report.byDelivery.head.removals).toBeGreaterThan(50);
    expect(report.byDelivery.safe.removals).toBeGreaterThan(0);
    expect(report.byDelivery.finalized.additions).toBe(report.onChain);
  },
  300_000,
);
