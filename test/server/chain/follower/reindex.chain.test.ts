/** `platform follow reindex` while a host serves the orders of three markets. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databaseOf } from "../../../support/database.ts";
import { ask, operate } from "../../../support/operator.ts";
import { noSandbox } from "../../../support/sandbox.ts";
import { responsesOf } from "../../market/indexer/responses.ts";
import { createScenario, type Scenario, tokenIds, untilEqual } from "../../market/indexer/scenario.ts";
import { scenesOf, steps } from "../../market/indexer/steps.ts";
import { openTrading, type Trading } from "../../market/indexer/trading.ts";

const window = 4;

describe.skipIf(noSandbox)("platform follow reindex", () => {
  let trading: Trading;
  let story: Scenario;

  beforeAll(async () => {
    trading = await openTrading({
      follow: { window },
    });
    story = await createScenario(trading);
    const scenes = scenesOf(story);
    // The first step lists tokens for a few seconds only.
    for (const { take } of steps.slice(1, 8)) {
      for (const scene of scenes) await take(scene, story);
      await trading.world.chain.mine();
      await untilEqual(story);
    }
    await trading.world.chain.mine(100);
  });
  afterAll(async () => {
    await trading?.[Symbol.asyncDispose]();
  });

  const block = async () =>
    (await ask<readonly { readonly block: number }[]>(trading.data, "follow", "list"))[0]?.block;
  const reindex = (...args: readonly string[]) => operate(trading.data, "follow", "reindex", ...args);

  test("derives all orders again while calls are served", async () => {
    const orders = await untilEqual(story);
    expect(new Set(orders.map(({ status }) => status))).toContain("active");
    const before = await responsesOf(trading, story.collections, orders, tokenIds);
    await expect.poll(block, { timeout: 120_000 }).toBe(await trading.world.chain.head());
    const done = reindex("31337", "--from", "0");
    let isDone = false;
    void done.finally(() => {
      isDone = true;
    });
    let served = 0;
    for (; !isDone; served++)
      expect(await responsesOf(trading, story.collections, orders, tokenIds)).toEqual(before);
    const { code, out, err } = await done;
    const head = await trading.world.chain.head();
    const began = `platform: blocks 0 to ${head} of local-chain will be derived again; to watch: platform follow list local-chain\n`;
    expect({ code, err }).toEqual({ code: 0, err: began });
    expect(out).toMatch(/^network +local-chain$/m);
    expect(out).toMatch(/^from +0$/m);
    expect(out).toMatch(new RegExp(`^block +${head}$`, "m"));
    expect(out).toMatch(/^behind +0$/m);
    const blocks = head + 1;
    expect(out).toMatch(new RegExp(`^reindexed blocks +${blocks}$`, "m"));
    expect(out).toMatch(
      new RegExp(
        `^Derived ${blocks} blocks of local-chain again, 0 to ${head}, in [\\d.]+ s. local-chain is up to date.$`,
        "m",
      ),
    );
    expect(served).toBeGreaterThan(0);
    await untilEqual(story);
  });

  test("restores orders that were lost", async () => {
    const orders = await untilEqual(story);
    const before = await responsesOf(trading, story.collections, orders, tokenIds);
    await using database = databaseOf(trading.data);
    const deleted = await database.query(
      "delete from market_order where marketplace <> 'opensea' returning 1",
    );
    expect(deleted.length).toBeGreaterThan(10);
    expect(await reindex("31337", "--from", "0")).toMatchObject({ code: 0 });
    await untilEqual(story);
    expect(await responsesOf(trading, story.collections, orders, tokenIds)).toEqual(before);
  });

  test.each([
    [["31337", "--form", "0"], 2, /unknown option "?--form"?.*--from/],
    [
      ["31337"],
      2,
      /--from is missing: the first block to derive again; local-chain is followed from block 0 on/,
    ],
    [["31337", "--from=-1"], 2, /--from: expected a block number, found "-1"/],
    [["--from", "0"], 2, /NETWORK/],
    [["polygon", "--from", "0"], 1, /unknown network "polygon"; see: platform networks list/],
  ])("%j is refused", async (args, code, reason) => {
    const outcome = await reindex(...args);
    expect(outcome).toMatchObject({ code, out: "" });
    expect(outcome.err).toMatch(reason);
  });
});
