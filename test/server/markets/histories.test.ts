/** Orders of the Sequence markets on a local chain: the host's five answers equal a model that reads the contracts, at every head. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshSeed, seededRandom } from "../../support/random.ts";
import { noSandbox } from "../../support/sandbox.ts";
import { runHistory } from "./histories.ts";
import { openTrading, type Trading } from "./trading.ts";

/** `npm run fuzz -- markets --count 200` is the long form. */
const histories = Number(process.env["MARKET_HISTORIES"] ?? 2);
const seed = Number(process.env["MARKET_SEED"] ?? freshSeed());
const steps = 10;

describe.skipIf(noSandbox)("orders of the Sequence markets", () => {
  let trading: Trading;
  beforeAll(async () => {
    trading = await openTrading();
  }, 120_000);
  afterAll(() => trading?.[Symbol.asyncDispose]());

  test(
    `are what the contracts say at every head of random histories (MARKET_SEED=${seed})`,
    async () => {
      let heads = 0;
      for (let index = 0; index < histories; index++) {
        try {
          heads += await runHistory(trading, seededRandom(seed + index), steps);
        } catch (err) {
          throw new Error(
            `MARKET_SEED=${seed + index} MARKET_HISTORIES=1: ${(err as Error).message} ${String((err as Error).cause)}`,
          );
        }
        if (histories > 10 && index % 10 === 9) console.log(`${index + 1} histories, ${heads} heads`);
      }
      expect(heads).toBeGreaterThanOrEqual(histories * 2);
      expect(trading.host.err()).not.toContain('"level":50');
    },
    60_000 + histories * 60_000,
  );
});
