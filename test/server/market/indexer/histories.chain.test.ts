/** Orders of all markets on a local chain: at every head, the host's five responses equal a model that reads the contracts. */
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask } from "../../../support/operator.ts";
import { seededRandom } from "../../../support/random.ts";
import { noSandbox } from "../../../support/sandbox.ts";
import { testContract } from "../../../support/test-contracts.ts";
import { listenTrap } from "../../../support/trap.ts";
import { runHistory } from "./histories.ts";
import { accounts } from "./market-world.ts";
import { createScenario, untilEqual } from "./scenario.ts";
import { scenesOf, steps as stepsOfOrders } from "./steps.ts";
import { openTrading, type Trading } from "./trading.ts";

/** Long form: `npm run fuzz -- markets --count 200`. */
const histories = Number(process.env["MARKET_HISTORIES"] ?? 1);
const seed = Number(process.env["MARKET_SEED"] ?? 20_261);
const steps = 10;

describe.skipIf(noSandbox)("orders of markets", () => {
  let trading: Trading;
  beforeAll(async () => {
    trading = await openTrading();
  });
  afterAll(() => trading?.[Symbol.asyncDispose]());

  test("match the contracts after each step, and when they expire", async () => {
    const story = await createScenario(trading);
    const scenes = scenesOf(story);
    const seen = new Map<string, ReadonlySet<string>>();
    for (const { name, take } of stepsOfOrders) {
      for (const scene of scenes) await take(scene, story);
      await trading.world.chain.mine();
      const orders = await untilEqual(story).catch((err: Error) => {
        throw new Error(`after "${name}": ${err.message}`);
      });
      seen.set(name, new Set(orders.map(({ status }) => status)));
    }
    const end = Date.now() + 60_000;
    for (let isOver = false; !isOver && Date.now() < end; )
      isOver =
        (await untilEqual(story)).filter(({ status }) => status === "expired").length === scenes.length;
    const last = await untilEqual(story);
    const count = (status: string): number => last.filter((order) => order.status === status).length;
    expect({
      filled: count("filled"),
      cancelled: count("cancelled"),
      expired: count("expired"),
      open: count("active") + count("inactive"),
    }).toEqual({ filled: 14, cancelled: 18, expired: 6, open: 0 });
    expect(seen.get("the token goes away")).toContain("inactive");
  }, 600_000);

  test("of tokens that flood, loop, lie or redirect cost one query each, and are listed for the operator", async () => {
    const { world, markets, coin, client, data } = trading;
    const [market] = markets;
    const [maker] = accounts as readonly [`0x${string}`];
    const trap = await listenTrap();
    try {
      const silent = [
        await world.deploy(testContract("OffchainLookup"), [[`${trap.url}/{sender}/{data}`]]),
        await world.deploy(testContract("Megabytes")),
        await world.deploy(testContract("Endless")),
      ].map(({ address }) => address);
      const liar = await world.deploy(testContract("LyingToken"));
      for (const address of [...silent, liar.address])
        await market?.send(maker, "createRequest", [
          {
            isListing: true,
            isERC1155: true,
            tokenContract: address,
            tokenId: 1n,
            quantity: 5n,
            expiry: 4_102_444_800n,
            currency: coin.address,
            pricePerToken: 10n,
          },
        ]);
      await world.chain.mine();
      const unknown = async () =>
        (await ask<readonly Readonly<Record<string, unknown>>[]>(data, "orders", "unknown", "31337")).map(
          ({ contract, kind, reason, orders }) => ({ contract, kind, reason, orders }),
        );
      const of = (contract: string, kind: string, reason: string) => ({ contract, kind, reason, orders: 1 });
      await expect.poll(unknown, { timeout: 120_000 }).toEqual(
        expect.arrayContaining([
          ...silent.map((contract) => of(contract, "holding", "no response from balanceOf or ownerOf")),
          // One word is not a valid royalty, so its market rejects the sale.
          of(liar.address, "royalty", "no response from getRoyaltyInfo"),
        ]),
      );
      for (const contractAddress of [...silent, liar.address])
        expect((await client.getFloorOrder({ contractAddress })).collectible ?? undefined).toBeUndefined();
      expect(trap.connections()).toBe(0);
    } finally {
      await trap.close();
    }
  });

  test(
    `match the contracts at every head of random histories (MARKET_SEED=${seed})`,
    async () => {
      let heads = 0;
      for (let index = 0; index < histories; index++) {
        try {
          heads += await runHistory(trading, seededRandom(seed + index), steps);
        } catch (err) {
          throw new Error(`MARKET_SEED=${seed + index} MARKET_HISTORIES=1: ${inspect(err)}`);
        }
        if (histories > 10 && index % 10 === 9) console.log(`${index + 1} histories, ${heads} heads`);
      }
      expect(heads).toBeGreaterThanOrEqual(histories * 2);
      expect(trading.host.err()).not.toContain('"level":50');
    },
    60_000 + histories * 60_000,
  );
});
