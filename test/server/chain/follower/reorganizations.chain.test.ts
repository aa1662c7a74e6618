import { describe, expect, test } from "vitest";
import { readCheckpoint, requestRewind } from "../../../../server/chain/follower/checkpoint.ts";
import { maxRemovedBlocks } from "../../../../server/chain/follower/derive/derive.ts";
import { forkOf, reorganize, startEventChain } from "../../../support/event-chain.ts";
import { seededRandom } from "../../../support/random.ts";
import { noSandbox } from "../../../support/sandbox.ts";
import { growAll, startFollowedChain } from "./followed-chain.ts";

/** SEED and REORGS are for the long form. */
const seed = Number(process.env["SEED"] ?? 7);
const rounds = Number(process.env["REORGS"] ?? 6);

describe.skipIf(noSandbox)("a follower", () => {
  test(`undoes ${rounds} reorganizations of depth 1 to 64, seed ${seed}, some of which return`, async () => {
    await using world = await startFollowedChain();
    const random = seededRandom(seed);
    await world.grow(random, 70);
    const settings = { follow: { window: 80, wsUrls: [] } };
    let one = world.follow(settings);
    await world.thereAndBack(random, 64, world.untilEqual);
    expect(world.told).toContain("reorganized 64");
    for (let round = 0; round < rounds; round++) {
      if (random.chance(60)) await world.untilEqual();
      if (random.chance(40)) {
        // The replica stops in the middle, and another one continues.
        void one[Symbol.asyncDispose]();
        one = world.follow(settings);
      }
      await world.grow(random, random.below(6) + 1);
      if (random.chance(35)) await world.thereAndBack(random, random.below(20) + 1);
      else await reorganize(world.chain, random.pick([1, 1, 2, 3, 5, 8, 16, 32, 64]));
    }
    await world.untilEqual();
    const [{ removed = 0 } = {}] = await world.database.query<{ removed: number }>(
      "select count(*)::int as removed from recorded_step where what = 'removed'",
    );
    expect(removed).toBeGreaterThan(0);
  });

  test("follows a block that leaves the chain and returns unchanged", async () => {
    await using world = await startFollowedChain();
    await world.grow(seededRandom(1), 12);
    world.follow();
    await world.untilEqual();
    await world.thereAndBack(seededRandom(1), 3, world.untilEqual);
    const returned = await world.database.query(
      "select block_hash from recorded_step where what = 'added' group by block_hash having count(*) = 2",
    );
    expect(returned).toHaveLength(3);
  });

  test("undoes blocks that left the chain while it was not followed, however far the head has advanced", async () => {
    await using world = await startFollowedChain();
    await world.grow(seededRandom(8), 20);
    const first = world.follow({ follow: { window: 8, wsUrls: [] } });
    await world.untilEqual();
    await first[Symbol.asyncDispose]();
    const before = world.told.length;
    await reorganize(world.chain, 3);
    await world.grow(seededRandom(9), 40);
    world.follow({ follow: { window: 8, wsUrls: [] } });
    await world.untilEqual();
    expect(world.told.slice(before).filter((line) => line.startsWith("reorganized"))).toHaveLength(1);
  });

  test("undoes blocks that leave the chain during a rewind before others replace them", async () => {
    await using world = await startFollowedChain();
    await world.grow(seededRandom(6), 30);
    const first = world.follow({ follow: { window: 8, wsUrls: [] } });
    await world.untilEqual();
    await first[Symbol.asyncDispose]();
    await requestRewind(world.database, 31_337, 4);
    await reorganize(world.chain, 3);
    world.told.length = 0;
    const second = world.follow({ follow: { window: 8, wsUrls: [] } });
    await world.untilEqual();
    expect(world.told).toContain("reorganized 3");
    await second[Symbol.asyncDispose]();
    // Also when the block is below the window by the time it is added again.
    await requestRewind(world.database, 31_337, 4);
    await reorganize(world.chain, 3);
    await world.grow(seededRandom(7), 20);
    world.told.length = 0;
    world.follow({ follow: { window: 8, wsUrls: [] } });
    await world.untilEqual();
    expect(world.told).toContain("reorganized 3");
  });

  // The window is 8.
  test.each([7, 8, 9, 40])(
    "undoes a reorganization of depth %i, removes each block that left once, and adds no other block again",
    async (depth) => {
      await using world = await startFollowedChain();
      await world.grow(seededRandom(1), 20);
      world.follow({ follow: { window: 8, wsUrls: [] } });
      await world.untilEqual();
      const ancestor = await world.chain.head();
      const fork = await forkOf(world.chain);
      await using _ = fork;
      // One by one, so that no block is read in a range.
      for (let block = 0; block < depth; block++) {
        await growAll(world.chain, 1);
        if (block % 4 === 3 || block === depth - 1) await world.untilEqual();
      }
      await growAll(fork, depth + 1);
      world.node.current = fork;
      await world.untilEqual();
      const steps = await world.database.query<{ what: string; count: number; blocks: number }>(
        `select what, count(*)::int as count, count(distinct block)::int as blocks from recorded_step
         where block > $1 group by what order by what`,
        [ancestor],
      );
      expect(steps).toEqual([
        { what: "added", count: depth * 2 + 1, blocks: depth + 1 },
        { what: "removed", count: depth, blocks: depth },
      ]);
      expect(world.told).toContain(`reorganized ${depth}`);
    },
  );

  test.each([
    [8, maxRemovedBlocks - 1, 1],
    [8, maxRemovedBlocks, 1],
    [8, maxRemovedBlocks + 1, 2],
    [300, maxRemovedBlocks, 1],
    [300, 2 * maxRemovedBlocks + 1, 3],
  ])(
    "with a window of %i, removes %i blocks in %i transactions, the highest block first",
    async (window, depth, transactions) => {
      await using world = await startFollowedChain();
      await growAll(world.chain, 3);
      const fork = await forkOf(world.chain);
      await using _ = fork;
      await growAll(world.chain, depth);
      world.follow({ follow: { window, wsUrls: [] } });
      await world.untilEqual();
      await growAll(fork, depth + 1);
      world.node.current = fork;
      await world.untilEqual();
      const removed = await world.database.query<{ count: number }>(
        "select count(*)::int as count from recorded_step where what = 'removed' group by xmin order by min(id)",
      );
      expect(removed).toHaveLength(transactions);
      expect(Math.max(...removed.map(({ count }) => count))).toBeLessThanOrEqual(maxRemovedBlocks);
      expect(removed.reduce((sum, { count }) => sum + count, 0)).toBe(depth);
      expect(world.told.filter((line) => line.startsWith("reorganized"))).toEqual([`reorganized ${depth}`]);
    },
  );

  test.each([8, 300])(
    "continues a deep reorganization after a failure in the middle, with a window of %i",
    async (window) => {
      await using world = await startFollowedChain();
      await growAll(world.chain, 3);
      const fork = await forkOf(world.chain);
      await using _ = fork;
      const ancestor = await world.chain.head();
      const depth = 2 * maxRemovedBlocks;
      await growAll(world.chain, depth);
      const first = world.follow({ follow: { window, wsUrls: [] } });
      await world.untilEqual();
      // Like a statement timeout, in the second transaction.
      await world.database.query(`
        create function cancel_second() returns trigger language plpgsql as $$
        begin
          if (select count(*) from recorded_step where what = 'removed') > ${maxRemovedBlocks} then
            raise exception 'cancelled' using errcode = '57014';
          end if;
          return null;
        end $$;
        create trigger cancel_second after insert on recorded_step for each statement execute function cancel_second()`);
      await growAll(fork, depth + 1);
      world.node.current = fork;
      await expect
        .poll(async () => (await readCheckpoint(world.database, 31_337))?.number, { timeout: 120_000 })
        .toBe(ancestor + depth - maxRemovedBlocks);
      await first[Symbol.asyncDispose]();
      await world.database.query("drop function cancel_second cascade");
      world.follow({ follow: { window, wsUrls: [] } });
      await world.untilEqual();
      const removed = await world.database.query<{ count: number }>(
        "select count(*)::int as count from recorded_step where what = 'removed' group by xmin order by min(id)",
      );
      expect(removed.map(({ count }) => count)).toEqual([maxRemovedBlocks, maxRemovedBlocks]);
      expect(world.told).toContain(`reorganized ${maxRemovedBlocks}`);
    },
  );

  test("undoes a deep reorganization that happens while the chain is not followed", async () => {
    await using world = await startFollowedChain();
    await world.grow(seededRandom(1), 10);
    const fork = await forkOf(world.chain);
    await using _ = fork;
    await growAll(world.chain, 40);
    const first = world.follow({ follow: { window: 8, wsUrls: [] } });
    await world.untilEqual();
    await first[Symbol.asyncDispose]();
    await growAll(fork, 80);
    world.node.current = fork;
    world.follow({ follow: { window: 8, wsUrls: [] } });
    await world.untilEqual();
    expect(world.told).toContain("reorganized 40");
    expect(world.told).toContain("deeper than the window of 8");
  });

  test("starts over with the blocks of a chain that was reset", async () => {
    await using world = await startFollowedChain();
    await growAll(world.chain, 30);
    world.follow({ follow: { window: 8, wsUrls: [] } });
    await world.untilEqual();
    await using other = await startEventChain();
    // The blocks of two new chains may be equal.
    await other.emit(7);
    await growAll(other, 31);
    world.node.current = other;
    await world.untilEqual();
  });

  test("a single node that is far behind does not remove blocks", async () => {
    await using world = await startFollowedChain();
    await growAll(world.chain, 12);
    const behind = await forkOf(world.chain);
    await using _ = behind;
    await growAll(world.chain, 20);
    world.follow({ follow: { window: 8, wsUrls: [] } });
    await world.untilEqual();
    world.node.current = behind;
    const [before] = await world.database.query("select count(*) from recorded_step");
    await new Promise((done) => setTimeout(done, 300));
    expect(await world.database.query("select count(*) from recorded_step")).toEqual([before]);
    expect((await readCheckpoint(world.database, 31_337))?.stopped).toBeUndefined();
    world.node.current = world.chain;
    await growAll(world.chain, 3);
    await world.untilEqual();
    expect(world.told.filter((line) => line.startsWith("reorganized"))).toEqual([]);
  });

  test("stops if all blocks that it knows left the chain, reports it, and continues after a reindex", async () => {
    await using world = await startFollowedChain();
    await growAll(world.chain, 10);
    const fork = await forkOf(world.chain);
    await using _ = fork;
    await growAll(world.chain, 20);
    const first = world.follow({ follow: { window: 4, wsUrls: [] } });
    await world.untilEqual();
    await first[Symbol.asyncDispose]();
    // As if the chain had been followed for so long that the rest of its history was deleted.
    await world.database.query("update follower_cursor set first_block = -200000");
    await world.database.query("delete from follower_history where number < 22");
    await growAll(fork, 21);
    world.node.current = fork;
    world.follow({ follow: { window: 4, wsUrls: [] } });
    await expect
      .poll(async () => (await readCheckpoint(world.database, 31_337))?.stopped, { timeout: 120_000 })
      .toMatch(
        /^all blocks that the follower knows, from 22 on, left the chain; to continue, run: platform follow reindex \S+ --from 22$/,
      );
    await growAll(fork, 2);
    // From a lower block than reported.
    await requestRewind(world.database, 31_337, 11);
    await world.untilLogsEqual();
  });
});
