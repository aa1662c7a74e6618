import { expect, test } from "vitest";
import { isNetZero, reorganisationRounds, reorganisationWindow } from "../../crash/reorganisations.ts";
import { makeEmbeddedData } from "../../support/host.ts";
import { seededRandom } from "../../support/random.ts";
import { noSandbox } from "../../support/sandbox.ts";

const depths = [2, reorganisationWindow - 1, reorganisationWindow, reorganisationWindow + 1, 150];

test.skipIf(noSandbox)(
  `receivers of head, safe and final events end up with the chain's events after reorganisations of depth ${depths} and crashes (seed 4; long form: \`npm run crash -- reorganisations\`)`,
  async () => {
    await using data = await makeEmbeddedData();
    const report = await reorganisationRounds(data, depths, seededRandom(4));
    expect(report).toSatisfy(isNetZero);
    expect(report.past.listeners).toBe(depths.length);
    expect(report.kills).toBeGreaterThan(1);
    expect(report.byDelivery.head.removals).toBeGreaterThan(50);
    expect(report.byDelivery.safe.removals).toBeGreaterThan(0);
    expect(report.byDelivery.finalized.additions).toBe(report.onChain);
  },
  300_000,
);
