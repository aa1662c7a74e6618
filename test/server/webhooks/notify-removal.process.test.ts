import { describe, expect, test } from "vitest";
import { storeSkippedAddition } from "../../../server/chain/follower/derive/derive.ts";
import { block, chainId, hashOf, useNotifyWorld } from "./notify-world.ts";

const shared = useNotifyWorld();
const { add, remove, settle, told, listener } = shared;

describe("a block that leaves the chain", () => {
  test("produces removals where it was notified, the last first, after additions that still wait", async () => {
    const id = await listener();
    const blocks = [block(10, "10", 1), block(11, "11", 2)];
    await add(...blocks);
    await shared.world.database.query(
      "update webhook_notification set state = 'accepted' where sequence < 3",
    );
    await listener();
    await remove(...blocks.toReversed());
    const rows = await told();
    // The second listener received no addition, and so no removal.
    expect(new Set(rows.map((row) => row.listener))).toEqual(new Set([id]));
    const removals = rows.filter(({ body }) => body.type === "BLOCK_REMOVED");
    expect(removals.map(({ body }) => body["blockNumber"])).toEqual([11, 11, 10]);
    expect(removals.map(({ waits }) => waits)).toEqual([true, false, false]);
    const [addition] = rows;
    const removal = removals.at(-1);
    expect(removal?.body).toEqual({ ...addition?.body, uid: removal?.body["uid"], type: "BLOCK_REMOVED" });
    expect(removal?.body["uid"]).not.toBe(addition?.body["uid"]);
    expect(shared.woken).toHaveLength(2);
  });

  test("and returns has a new webhook-id each time, and the same one for two listeners", async () => {
    await listener();
    const a = block(10, "A", 2);
    const ids: string[][] = [];
    for (let round = 1; round <= 3; round++) {
      // One block may come in several calls, each with different logs.
      await add({ ...a, logs: a.logs.slice(0, 1) });
      await add({ ...a, logs: a.logs.slice(1) });
      await settle("accepted");
      await remove(a);
      await settle("accepted");
      const rows = (await told()).slice(-4);
      ids.push(rows.map(({ id }) => id));
      expect(rows.every(({ id }) => id.endsWith(`-${round}`))).toBe(true);
    }
    expect(new Set(ids.flat()).size).toBe(12);
  });

  test.each([
    [null, ["waiting", "waiting"]],
    ["failing", ["waiting", "waiting"]],
    ["owner", ["dropped"]],
    ["gone", ["dropped"]],
  ])(
    "with a pause for the reason %j, leaves a waiting notification and its removal %j",
    async (reason, states) => {
      await listener();
      await add(block(10, "10", 1));
      await shared.world.database.query("update webhook_listener set pause_reason = $1", [reason]);
      await remove(block(10, "10", 1));
      expect((await told()).map(({ state }) => state)).toEqual(states);
    },
  );

  test("drops failed notifications without a removal", async () => {
    await listener();
    await add(block(10, "10", 1));
    await settle("failed");
    await remove(block(10, "10", 1));
    expect((await told()).map(({ state }) => state)).toEqual(["dropped"]);
  });

  test("produces a removal if it was accepted once, even if its replay failed", async () => {
    await listener();
    await add(block(10, "10", 1));
    await shared.world.database.query(
      "insert into webhook_attempt (chain_id, sequence, attempt, at, took_ms, status) values ($1, 1, 1, now(), 1, 200)",
      [chainId],
    );
    await settle("failed");
    await remove(block(10, "10", 1));
    expect((await told()).map(({ body, state, waits }) => [body.type, state, waits])).toEqual([
      ["BLOCK_ADDED", "failed", false],
      ["BLOCK_REMOVED", "waiting", false],
    ]);
    await shared.world.database.query("truncate webhook_attempt");
  });
});

test("blocks that are added again after a rewind are not notified twice", async () => {
  await listener();
  await add(block(10, "10", 1), block(11, "11", 1));
  await shared.world.database.transaction((tx) =>
    shared.deriver.rewound({ ...tx, chainId, isRecent: true }, 5),
  );
  await add(block(10, "10", 1), block(11, "11", 1), block(12, "12", 1));
  expect((await told()).map(({ body }) => body["blockNumber"])).toEqual([10, 11, 12]);
});

test("a rewind notifies what was skipped, once, and nothing else of its block", async () => {
  const first = await listener();
  const { database } = shared.world;
  const [skipped, stored] = [block(10, "10", 2), block(11, "11", 1)];
  await add({ ...skipped, logs: skipped.logs.slice(0, 1) }, stored);
  await database.query(
    "insert into follower_cursor (chain_id, first_block, block_number) values ($1, 0, 11)",
    [chainId],
  );
  await database.transaction((tx) =>
    storeSkippedAddition({ ...tx, chainId, isRecent: true }, "webhooks", skipped, 6, new Error("no room")),
  );
  await database.transaction((tx) => shared.deriver.rewound({ ...tx, chainId, isRecent: true }, 10));
  await add(skipped, stored);
  const blocksSent = async (): Promise<readonly unknown[]> =>
    (await told(first)).map(({ body }) => body["blockNumber"]);
  expect(await blocksSent()).toEqual([10, 11, 10]);
  // Not even while the row of the skipped log remains.
  await add(skipped, stored);
  expect(await blocksSent()).toEqual([10, 11, 10]);
  expect(new Set((await told(first)).map(({ id }) => id)).size).toBe(3);
  await database.query("delete from follower_cursor");
});

test("blocks that replace removed ones are notified, even during a rewind of their numbers", async () => {
  await listener();
  await add(block(10, "10", 1), block(11, "11", 1), block(12, "12", 1));
  await remove(block(11, "11", 0), block(12, "12", 0));
  await shared.world.database.transaction((tx) =>
    shared.deriver.rewound({ ...tx, chainId, isRecent: true }, 10),
  );
  await add(block(10, "10", 1), block(11, "11b", 1), block(12, "12b", 1));
  const added = (await told()).filter(({ body }) => body.type === "BLOCK_ADDED");
  expect(added.map(({ body }) => body["blockNumber"])).toEqual([10, 11, 12, 11, 12]);
  await shared.world.database.transaction((tx) =>
    shared.deriver.rewound({ ...tx, chainId, isRecent: true }, 10),
  );
  await add(block(10, "10", 1), block(11, "11b", 1));
  await remove(block(11, "11b", 0));
  await add(block(11, "11c", 1));
  const last = (await told()).at(-1)?.body;
  expect(last).toMatchObject({ type: "BLOCK_ADDED", blockNumber: 11, blockHash: hashOf("11c") });
});
