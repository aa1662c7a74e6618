import { describe, expect, test } from "vitest";
import { updateListener } from "../../../server/webhooks/listeners.ts";
import {
  alice,
  block,
  bob,
  chainId,
  contract,
  hashOf,
  transfer,
  useNotifyWorld,
  word,
} from "./notify-world.ts";

const shared = useNotifyWorld();
const { add, remove, told, listener } = shared;

test("the notification has the fields of the specification", async () => {
  await listener("http://127.0.0.7:9/");
  await add(block(10, "10", 2));
  const [, second] = await told();
  expect(second?.body).toEqual({
    uid: expect.stringMatching(/^[0-9a-f]{64}$/),
    type: "BLOCK_ADDED",
    blockNumber: 10,
    blockHash: hashOf("10"),
    parentBlockHash: hashOf("9"),
    contractAddress: contract,
    contractType: "ERC20",
    txnHash: hashOf("transaction of 10"),
    txnIndex: 2,
    txnLogIndex: "1",
    ts: "2023-11-14T22:13:30.000Z",
    event: {
      topicHash: "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
      eventSig: "Transfer(address,address,uint256)",
      types: ["address", "address", "uint256"],
      names: ["from", "to", "value"],
      values: [alice, bob, `0x${"1".padStart(64, "0")}`],
    },
    logDataType: "TOKEN_TRANSFER",
    rawLog: {
      data: `0x${"1".padStart(64, "0")}`,
      topics: [hashOf("Transfer(address,address,uint256)"), word(alice), word(bob)],
    },
  });
  expect(second?.id).toBe(`${second?.body["uid"]}-1`);
  expect(shared.woken).toEqual([["127.0.0.7"]]);
});

test("each listener gets its own argument names, each log once, and growing numbers", async () => {
  const named = await listener();
  const unnamed = await listener("http://127.0.0.1:9/", {
    events: ["Transfer(address indexed,address indexed,uint256)", transfer],
  });
  await add(block(10, "10", 2), block(11, "11", 1));
  const rows = await told();
  expect(rows.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6]);
  const namesOf = (id: number) =>
    rows
      .filter((row) => row.listener === id)
      .map(({ body }) => (body["event"] as { names: string[] }).names.join());
  expect(namesOf(named)).toEqual(Array(3).fill("from,to,value"));
  expect(namesOf(unnamed)).toEqual(Array(3).fill("arg1,arg2,arg3"));
  const [{ count } = { count: 0 }] = await shared.world.database.query<{ count: number }>(
    "select sum(cardinality(log_indexes))::int as count from webhook_batch",
  );
  expect(count).toBe(6);
});

describe("a new listener starts with the next block, whichever process follows the chain", () => {
  test("it is found even if the following process missed its NOTIFY", async () => {
    const first = await listener();
    await add(block(10, "10", 1));
    await shared.deriver.logFilter(chainId);
    const second = await listener();
    // `logFilter` is not called in between, as if the NOTIFY were still on its way.
    const after = await shared.world.database.transaction((tx) =>
      shared.deriver.added({ ...tx, chainId, isRecent: true }, [block(11, "11", 1)], 11),
    );
    after?.();
    expect((await told(first)).length).toBe(2);
    expect((await told(second)).map(({ body }) => body["blockNumber"])).toEqual([11]);
  });

  test("one that needs more logs makes the follower request them again", async () => {
    await listener();
    await shared.deriver.logFilter(chainId);
    await listener("http://127.0.0.1:9/", { contractAddresses: [`0x${"dd".repeat(20)}`] });
    const work = shared.world.database.transaction((tx) =>
      shared.deriver.added({ ...tx, chainId, isRecent: true }, [block(11, "11", 1)], 11),
    );
    await expect(work).rejects.toThrow("listeners were added while the logs were being fetched");
    await add(block(11, "11", 1));
    expect(await told()).toHaveLength(1);
  });

  test("adding one waits for the block that is being committed, and misses it", async () => {
    const first = await listener();
    await shared.deriver.logFilter(chainId);
    let second: Promise<number> | undefined;
    await shared.world.database.transaction(async (tx) => {
      await shared.deriver.added({ ...tx, chainId, isRecent: true }, [block(10, "10", 1)], 10);
      second = listener();
      await new Promise((done) => setTimeout(done, 200));
    });
    const id = await second;
    await add(block(11, "11", 1));
    expect((await told(first)).length).toBe(2);
    expect((await told(id)).map(({ body }) => body["blockNumber"])).toEqual([11]);
  });

  test("nothing is stored while its owner pauses it; everything is stored while the platform pauses it", async () => {
    const id = await listener();
    const owned = { projectId: shared.world.projectId, chainId };
    await shared.world.database.transaction((tx) => updateListener(tx, owned, id, { active: false }));
    await add(block(10, "10", 1));
    await shared.world.database.query("update webhook_listener set pause_reason = 'failing'");
    await add(block(11, "11", 1));
    await shared.world.database.query("update webhook_listener set pause_reason = 'gone'");
    await add(block(12, "12", 1));
    await shared.world.database.transaction((tx) => updateListener(tx, owned, id, { active: true }));
    await add(block(13, "13", 1));
    expect((await told(id)).map(({ body }) => body["blockNumber"])).toEqual([11, 13]);
  });
});

test("the follower learns which blocks have notifications, without those that left the chain", async () => {
  await listener();
  const left = block(11, "A", 1);
  await add(block(10, "10", 2), left, block(12, "12", 0));
  await remove(left);
  await add(block(11, "B", 1));
  const blocksOf = async (from: number, below: number) =>
    (
      (await shared.deriver.blocksWithRecords?.(shared.world.database, chainId, { from, below })) ?? []
    ).toSorted((a, b) => a.number - b.number);
  expect(await blocksOf(0, 100)).toEqual([
    { number: 10, hash: hashOf("10") },
    { number: 11, hash: hashOf("B") },
  ]);
  expect(await blocksOf(11, 100)).toEqual([{ number: 11, hash: hashOf("B") }]);
  expect(await blocksOf(0, 11)).toEqual([{ number: 10, hash: hashOf("10") }]);
});

test("a rolled back transaction leaves no trace", async () => {
  await listener();
  await shared.deriver.logFilter(chainId);
  const work = shared.world.database.transaction(async (tx) => {
    await shared.deriver.added({ ...tx, chainId, isRecent: true }, [block(10, "10", 3)], 10);
    throw new Error("undone");
  });
  await expect(work).rejects.toThrow("undone");
  await add(block(10, "10", 3));
  expect((await told()).map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
});
