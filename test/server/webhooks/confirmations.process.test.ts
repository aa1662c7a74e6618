import { describe, expect, test } from "vitest";
import type { ChainTransaction } from "../../../server/chain/follower/derive/deriver.ts";
import { updateListener } from "../../../server/webhooks/listeners.ts";
import { block, chainId, useNotifyWorld } from "./notify-world.ts";

const shared = useNotifyWorld();
const { add, remove, listener, settled, settle, step, told } = shared;

async function listenerWith(confirmations: number, url?: string): Promise<number> {
  const id = await listener(url);
  await change(id, { confirmations });
  return id;
}

const change = (id: number, to: Parameters<typeof updateListener>[3]) =>
  shared.world.database.transaction((tx) =>
    updateListener(tx, { projectId: shared.world.projectId, chainId }, id, to),
  );

const statesOf = async (id: number) => (await told(id)).map(({ state }) => state);

/** Adds this many empty blocks. */
async function addEmpty(from: number, to: number): Promise<void> {
  for (let number = from; number <= to; number++) await add(block(number, `${number}`, 0));
}

test.each([
  [1, 10],
  [2, 11],
  [3, 12],
  [10_000, 10_009],
])("with %i confirmations, an event of block 10 is sent with block %i", async (confirmations, sentWith) => {
  const id = await listenerWith(confirmations, "http://127.0.0.7:9/");
  await add(block(10, "10", 1));
  if (sentWith > 10) {
    expect(await statesOf(id)).toEqual(["held"]);
    await add(block(sentWith - 1, `${sentWith - 1}`, 0));
    expect(await statesOf(id)).toEqual(["held"]);
    expect(shared.woken).toEqual([]);
    await add(block(sentWith, `${sentWith}`, 0));
  }
  expect(await statesOf(id)).toEqual(["waiting"]);
  expect(shared.woken).toEqual([["127.0.0.7"]]);
});

test("what is sent is the same as without confirmations", async () => {
  const [head, confirmed] = [await listener(), await listenerWith(2)];
  await add(block(10, "10", 2));
  await add(block(11, "11", 0));
  const bodiesOf = async (id: number) => (await told(id)).map(({ body }) => body);
  expect(await bodiesOf(confirmed)).toEqual(await bodiesOf(head));
});

test("blocks of one step confirm each other", async () => {
  const id = await listenerWith(3);
  await add(block(10, "10", 1), block(11, "11", 1), block(12, "12", 1));
  expect(await statesOf(id)).toEqual(["waiting", "held", "held"]);
});

test.each([
  [11, "held"],
  [12, "waiting"],
  [13, "waiting"],
])(
  "while catching up, the nodes' newest block counts: with block %i, an event of block 10 is %s",
  async (head, state) => {
    const id = await listenerWith(3);
    await step((tx, deriver) => deriver.added(tx, [block(10, "10", 1)], head));
    expect(await statesOf(id)).toEqual([state]);
  },
);

describe("a block that leaves the chain", () => {
  test("before it is confirmed is never sent, nor is its removal", async () => {
    const id = await listenerWith(3);
    const left = block(10, "A", 1);
    await add(left, block(11, "11A", 0));
    await remove(block(11, "11A", 0), left);
    await add(block(10, "B", 1), block(11, "11B", 0), block(12, "12B", 0), block(13, "13B", 0));
    expect(await told(id)).toMatchObject([
      { state: "dropped", body: { type: "BLOCK_ADDED" } },
      { state: "waiting", body: { type: "BLOCK_ADDED" } },
    ]);
  });

  test("in the step that would have confirmed it is not sent", async () => {
    const id = await listenerWith(3);
    const left = block(11, "A", 1);
    await add(block(10, "10", 1), left);
    await step(async (tx, deriver) => {
      await deriver.removed(tx, [left]);
      return deriver.added(tx, [block(11, "B", 0), block(12, "12B", 0), block(13, "13B", 0)], 13);
    });
    expect(await statesOf(id)).toEqual(["waiting", "dropped"]);
  });

  test.each([
    ["waiting", ["waiting", "waiting"]],
    ["accepted", ["accepted", "waiting"]],
    ["failed", ["dropped"]],
  ] as const)("after it was confirmed, with a notification that is %s: %j", async (state, states) => {
    const id = await listenerWith(2);
    const blocks = [block(10, "A", 1), block(11, "11A", 0)];
    await add(...blocks);
    await settle(state);
    await remove(...blocks.toReversed());
    expect(await statesOf(id)).toEqual(states);
  });
});

describe("a change of the listener", () => {
  test.each([
    ["to more confirmations", { confirmations: 4 }, ["waiting", "held"]],
    ["to fewer", { confirmations: 1 }, ["waiting", "waiting"]],
    ["to final blocks", { delivery: "finalized" }, ["waiting", "held"]],
  ] as const)("%s applies to the next block; held notifications keep waiting", async (_, to, states) => {
    const id = await listenerWith(3);
    await add(block(10, "10", 1));
    await change(id, to);
    expect(await statesOf(id)).toEqual(["held"]);
    await add(block(11, "11", 1));
    expect(await statesOf(id)).toEqual(["held", states[1]]);
    await addEmpty(12, 12);
    expect(await statesOf(id)).toEqual(states);
  });

  test("to confirmations keeps notifications waiting for finality", async () => {
    const id = await listener();
    await change(id, { delivery: "finalized" });
    await add(block(10, "10", 1));
    await change(id, { delivery: "head", confirmations: 2 });
    await add(block(11, "11", 1));
    await addEmpty(12, 12);
    expect(await statesOf(id)).toEqual(["held", "waiting"]);
    await settled(10, 10);
    expect(await statesOf(id)).toEqual(["waiting", "waiting"]);
  });
});

test("the nodes are not asked for final blocks", async () => {
  await listenerWith(3);
  await add(block(10, "10", 1));
  expect(await shared.deriver.awaitsFinality?.(chainId)).toBe(false);
  await settled(10, 10);
  expect((await told()).map(({ state }) => state)).toEqual(["held"]);
});

test("a release is undone with the block's transaction, and repeated with the block", async () => {
  const id = await listenerWith(2);
  await add(block(10, "10", 1));
  const work = step(async (tx, deriver) => {
    await deriver.added(tx, [block(11, "11", 0)], 11);
    throw new Error("undone");
  });
  await expect(work).rejects.toThrow("undone");
  expect(await statesOf(id)).toEqual(["held"]);
  await add(block(11, "11", 0));
  expect(await statesOf(id)).toEqual(["waiting"]);
});

test("notifications of removed listeners are released without a host to wake", async () => {
  const id = await listenerWith(2);
  await add(block(10, "10", 1));
  await shared.world.database.query("delete from webhook_listener where id = $1", [id]);
  await add(block(11, "11", 0));
  expect(await statesOf(id)).toEqual(["waiting"]);
  expect(shared.woken).toEqual([]);
});

/** Rows of notifications that the session has read since its counters were last reported. */
async function readRows({ query }: ChainTransaction): Promise<number> {
  const [row] = await query<{ count: number }>(
    `select (seq_tup_read + idx_tup_fetch)::int as count from pg_stat_xact_user_tables where relname = 'webhook_notification'`,
  );
  return row?.count ?? 0;
}

/** Holds `count` notifications that block 1,000 confirms, and 100 for each of the next 500 blocks. */
async function holdMany(count: number): Promise<void> {
  const { query } = shared.world.database;
  const id = await listenerWith(2);
  // As after many inserts: the planner has no statistics yet.
  await query.call(
    shared.world.database,
    "alter table webhook_notification set (autovacuum_enabled = false)",
  );
  await query.call(
    shared.world.database,
    `insert into webhook_notification (chain_id, sequence, listener_id, event, state, delivery, block_number)
     select $1, number, $2, 1, 'held', 'head', 1000 + greatest(0, number - $3 + 99) / 100
     from generate_series(1, $3::int + 50000) as number`,
    [chainId, id, count],
  );
  await query.call(shared.world.database, "update webhook_network set last_sequence = $1", [count + 50_000]);
}

const heldCount = async () => (await shared.world.states())["held"];

test("with 50,000 held notifications, blocks read only those that they confirm", async () => {
  await holdMany(100);
  const readBy = async (number: number): Promise<number> => {
    let read = 0;
    await step(async (tx, deriver) => {
      const before = await readRows(tx);
      const after = await deriver.added(tx, [block(number, `${number}`, 0)], number);
      read = (await readRows(tx)) - before;
      return after;
    });
    return read;
  };
  expect(await readBy(999)).toBe(0);
  expect(await heldCount()).toBe(50_100);
  // Also rows that earlier blocks have released, until they are vacuumed.
  expect(await readBy(1000)).toBeLessThanOrEqual(4 * 100);
  expect(await heldCount()).toBe(50_000);
  expect(await readBy(1001)).toBeLessThanOrEqual(4 * 100);
  expect(await heldCount()).toBe(49_900);
});

test("a block releases all that are due, of many blocks and of many listeners", async () => {
  await holdMany(20_000);
  await step((tx, deriver) => deriver.added(tx, [block(1000, "1000", 0)], 1004));
  expect(await heldCount()).toBe(50_000 - 4 * 100);
});
