import { beforeEach, expect, test } from "vitest";
import { loadKeccak } from "../../../server/base/keccak.ts";
import { createEventReader, subscriptionOf } from "../../../server/webhooks/filters.ts";
import { Matcher } from "../../../server/webhooks/matching/matcher.ts";
import { type Committed, commitPast } from "../../../server/webhooks/past/reader.ts";
import { readFollowerCheckpoint, readPastListener } from "../../../server/webhooks/past-progress.ts";
import { block, chainId, hashOf, useNotifyWorld } from "./notify-world.ts";

const shared = useNotifyWorld();
const { listener, told } = shared;

/** The follower has committed block 11, the newest one. */
beforeEach(async () => {
  const { database } = shared.world;
  await database.query("delete from follower_cursor");
  await database.query(
    "insert into follower_cursor (chain_id, first_block, block_number, block_hash, head) values ($1, 0, 11, $2, 11)",
    [chainId, Buffer.from(hashOf("11").slice(2), "hex")],
  );
});

/** Commits blocks `next` to 11 of a listener whose stored position is `stored`. */
async function commit(id: number, next: number, stored: number): Promise<Committed> {
  const { database } = shared.world;
  await database.query(
    "insert into webhook_past (listener_id, chain_id, from_block, next_block) values ($1, $2, 8, $3)",
    [id, chainId, stored],
  );
  const [on, past] = [await readFollowerCheckpoint(database, chainId), await readPastListener(database, id)];
  if (on === undefined || past === undefined) throw new Error("the past cannot be read");
  const matcher = new Matcher();
  matcher.set(subscriptionOf(past, createEventReader(await loadKeccak())));
  const quiet = (): void => {};
  const contractTypeOf = async (): Promise<string> => "ERC20";
  return commitPast(
    { database, contractTypeOf, wake: quiet },
    {
      chainId,
      listener: past,
      matcher,
      next,
      range: { to: 11, blocks: [block(next, `${next}`, 1)] },
      checkpoint: on,
      signal: new AbortController().signal,
    },
  );
}

test.each([
  [10, "ended"],
  [11, "ended"],
  [12, "moved"],
])("with blocks muted through %i, a past that is read up to block 11 has %s", async (muted, committed) => {
  const id = await listener();
  await shared.world.database.query("update webhook_network set muted_through = $1", [muted]);
  expect(await commit(id, 10, 10)).toBe(committed);
  expect(await told(id)).toHaveLength(1);
});

test.each([
  [9, "stale", 0],
  [10, "ended", 1],
  [11, "stale", 0],
])("blocks from 10 on, of a past whose next block is %i, are %s", async (stored, committed, count) => {
  const id = await listener();
  expect(await commit(id, 10, stored)).toBe(committed);
  expect(await told(id)).toHaveLength(count);
});
