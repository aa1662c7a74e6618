import { AbiCoder, id as keccakOf } from "ethers";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { BlockId, ChainBlock, Deriver } from "../../../server/chain/follower/derive/deriver.ts";
import type { Hex } from "../../../server/chain/rpc/chain.ts";
import { updateListener } from "../../../server/webhooks/listeners.ts";
import { type StoredEvent, unpackBodies, withUid } from "../../../server/webhooks/notify/batch-bodies.ts";
import { createWebhookDeriver } from "../../../server/webhooks/notify/deriver.ts";
import { type NearMiss, nearMissesOf } from "../../../server/webhooks/notify/near-misses.ts";
import { chainId, openWebhookWorld, type WebhookWorld } from "../../support/webhook-world.ts";

let world: WebhookWorld;
let deriver: Deriver;
let woken: (readonly string[])[] = [];
let nearMisses: NearMiss[] = [];
beforeAll(async () => {
  world = await openWebhookWorld();
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await world.database.query(
    "truncate webhook_notification, webhook_batch, webhook_network, webhook_listener, webhook_past cascade",
  );
  woken = [];
  nearMisses = [];
  deriver = newDeriver();
});

const newDeriver = (): Deriver =>
  createWebhookDeriver({
    database: world.database,
    contractTypeOf: async () => "ERC20",
    wake: (hosts) => woken.push(hosts),
    onNearMiss: (miss) => nearMisses.push(miss),
  });

const contract: Hex = `0x${"c0".repeat(20)}`;
const transfer = "Transfer(address indexed from,address indexed to,uint256 value)";
const [alice, bob]: readonly [Hex, Hex] = [`0x${"aa".repeat(20)}`, `0x${"bb".repeat(20)}`];
const word = (address: Hex): Hex => `0x${"0".repeat(24)}${address.slice(2)}`;
const hashOf = (name: string): Hex => keccakOf(name) as Hex;

/** A block with this many transfers. Its hash is derived from its name. */
function block(number: number, name: string, transfers: number, parent = `${number - 1}`): ChainBlock {
  return {
    number,
    hash: hashOf(name),
    parentHash: hashOf(parent),
    timestamp: 1_700_000_000 + number,
    logs: Array.from({ length: transfers }, (_, logIndex) => ({
      address: contract,
      topics: [hashOf("Transfer(address,address,uint256)"), word(alice), word(bob)],
      data: AbiCoder.defaultAbiCoder().encode(["uint256"], [logIndex]) as Hex,
      transactionHash: hashOf(`transaction of ${name}`),
      transactionIndex: 2,
      logIndex: logIndex + 5,
      indexInTransaction: logIndex,
    })),
  };
}

const add = (...blocks: readonly ChainBlock[]): Promise<void> => step((tx) => deriver.added(tx, blocks));
const remove = (...blocks: readonly BlockId[]): Promise<void> => step((tx) => deriver.removed(tx, blocks));

async function step(
  work: (tx: Parameters<Deriver["added"]>[0]) => ReturnType<Deriver["added"]>,
): Promise<void> {
  await deriver.logFilter(chainId);
  const after = await world.database.transaction((tx) => work({ ...tx, chainId, isRecent: true }));
  after?.();
}

async function listener(url = "http://127.0.0.1:9/", more: object = {}): Promise<number> {
  const { listener: made } = await world.add(url);
  const filters = { contractAddresses: [contract], events: [transfer], ...more };
  await world.database.query("update webhook_listener set filters = $2 where id = $1", [made.id, filters]);
  return made.id;
}

interface Row {
  readonly listener: number;
  readonly sequence: number;
  readonly id: string;
  readonly body: Record<string, unknown> & { readonly type: string; readonly blockHash: string };
  readonly state: string;
  readonly waits: boolean;
}

/** One listener of each delivery. */
async function listenerOfEachDelivery(): Promise<Readonly<Record<"head" | "safe" | "finalized", number>>> {
  const ids = { head: await listener(), safe: await listener(), finalized: await listener() };
  for (const [delivery, id] of Object.entries(ids))
    await world.database.query("update webhook_listener set delivery = $2 where id = $1", [id, delivery]);
  return ids;
}

async function settled(safe: number, finalized: number): Promise<void> {
  await step(async (tx) => deriver.settled?.(tx, { safe, finalized }));
}

async function told(listenerId?: number): Promise<readonly Row[]> {
  const rows = await world.database.query<
    Omit<Row, "body" | "id"> & {
      readonly occurrence: number;
      readonly event: Omit<StoredEvent, "blockHash" | "body">;
      readonly bodies: Buffer;
      readonly blockHash: Buffer;
      readonly position: number;
    }
  >(
    `select listener_id::float8 as listener, sequence::float8 as sequence, occurrence, bodies, block_hash as "blockHash",
            json_build_object('chainId', b.chain_id, 'logIndex', log_indexes[event - first_event + 1], 'isRemoval', is_removal) as event,
            (event - first_event)::int as position, state, due_at = 'infinity' as waits
     from webhook_notification n
     join webhook_batch b on b.chain_id = n.chain_id and n.sequence between b.first_sequence and b.last_sequence
     where $1::bigint is null or listener_id = $1 order by sequence`,
    [listenerId ?? null],
  );
  return rows.map(({ event, blockHash, bodies, position, occurrence, ...row }) => {
    const { uid, body } = withUid({ ...event, blockHash, body: unpackBodies(bodies)[position] ?? "" });
    return { ...row, id: `${uid}-${occurrence}`, body: JSON.parse(body) as Row["body"] };
  });
}

const settle = (state: string) => world.database.query("update webhook_notification set state = $1", [state]);

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
  expect(woken).toEqual([["127.0.0.7"]]);
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
  const [{ count } = { count: 0 }] = await world.database.query<{ count: number }>(
    "select sum(cardinality(log_indexes))::int as count from webhook_batch",
  );
  expect(count).toBe(6);
});

describe("a new listener starts with the next block, whichever process follows the chain", () => {
  test("it is found even if the following process missed its NOTIFY", async () => {
    const first = await listener();
    await add(block(10, "10", 1));
    await deriver.logFilter(chainId);
    const second = await listener();
    // `logFilter` is not called in between, as if the NOTIFY were still on its way.
    const after = await world.database.transaction((tx) =>
      deriver.added({ ...tx, chainId, isRecent: true }, [block(11, "11", 1)]),
    );
    after?.();
    expect((await told(first)).length).toBe(2);
    expect((await told(second)).map(({ body }) => body["blockNumber"])).toEqual([11]);
  });

  test("one that needs more logs makes the follower request them again", async () => {
    await listener();
    await deriver.logFilter(chainId);
    await listener("http://127.0.0.1:9/", { contractAddresses: [`0x${"dd".repeat(20)}`] });
    const work = world.database.transaction((tx) =>
      deriver.added({ ...tx, chainId, isRecent: true }, [block(11, "11", 1)]),
    );
    await expect(work).rejects.toThrow("listeners were added while the logs were being fetched");
    await add(block(11, "11", 1));
    expect(await told()).toHaveLength(1);
  });

  test("adding one waits for the block that is being committed, and misses it", async () => {
    const first = await listener();
    await deriver.logFilter(chainId);
    let second: Promise<number> | undefined;
    await world.database.transaction(async (tx) => {
      await deriver.added({ ...tx, chainId, isRecent: true }, [block(10, "10", 1)]);
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
    const owned = { projectId: world.projectId, chainId };
    await world.database.transaction((tx) => updateListener(tx, owned, id, { active: false }));
    await add(block(10, "10", 1));
    await world.database.query("update webhook_listener set pause_reason = 'failing'");
    await add(block(11, "11", 1));
    await world.database.query("update webhook_listener set pause_reason = 'gone'");
    await add(block(12, "12", 1));
    await world.database.transaction((tx) => updateListener(tx, owned, id, { active: true }));
    await add(block(13, "13", 1));
    expect((await told(id)).map(({ body }) => body["blockNumber"])).toEqual([11, 13]);
  });
});

describe("a listener of safe or final blocks", () => {
  const statesOf = async (id: number) => (await told(id)).map(({ state }) => state);

  test("gets its notifications when their block is settled, and the same bodies and numbers", async () => {
    const { head, safe, finalized } = await listenerOfEachDelivery();
    await add(block(10, "10", 1), block(11, "11", 1));
    expect(await deriver.awaitsFinality?.(chainId)).toBe(true);
    expect(woken).toHaveLength(1);
    await settled(9, 9);
    expect(woken).toHaveLength(1);
    await settled(10, 9);
    expect(await statesOf(safe)).toEqual(["waiting", "held"]);
    expect(await statesOf(finalized)).toEqual(["held", "held"]);
    expect(woken).toHaveLength(2);
    await settled(11, 10);
    expect(await statesOf(safe)).toEqual(["waiting", "waiting"]);
    expect(await statesOf(finalized)).toEqual(["waiting", "held"]);
    await settled(12, 11);
    expect(await statesOf(finalized)).toEqual(["waiting", "waiting"]);
    expect(await deriver.awaitsFinality?.(chainId)).toBe(false);
    const bodies = async (id: number) => (await told(id)).map(({ body }) => body);
    expect(await bodies(safe)).toEqual(await bodies(head));
    expect(await bodies(finalized)).toEqual(await bodies(head));
    const sequences = (await told(finalized)).map(({ sequence }) => sequence);
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
  });

  test("gets nothing of a block that leaves the chain before that", async () => {
    const { head, safe, finalized } = await listenerOfEachDelivery();
    const left = block(10, "A", 1);
    await add(left);
    await remove(left);
    await add(block(10, "B", 1));
    await settled(10, 10);
    expect(await statesOf(head)).toEqual(["waiting", "waiting", "waiting"]);
    expect(await statesOf(safe)).toEqual(["dropped", "waiting"]);
    expect(await statesOf(finalized)).toEqual(["dropped", "waiting"]);
  });

  test.each([
    ["waiting", ["waiting", "waiting"], ["dropped"]],
    ["accepted", ["accepted", "waiting"], ["accepted"]],
    ["parked", ["dropped"], ["dropped"]],
  ])(
    "whose block leaves the chain after that, with a notification that is %s: safe %j, finalized %j",
    async (state, ofSafe, ofFinalized) => {
      const { safe, finalized } = await listenerOfEachDelivery();
      const left = block(10, "A", 1);
      await add(left);
      await settled(10, 10);
      await settle(state);
      await remove(left);
      expect(await statesOf(safe)).toEqual(ofSafe);
      expect(await statesOf(finalized)).toEqual(ofFinalized);
    },
  );

  test("keeps waiting for a block that was held when the delivery changes to head", async () => {
    const { finalized } = await listenerOfEachDelivery();
    await add(block(10, "10", 1));
    const owned = { projectId: world.projectId, chainId };
    await world.database.transaction((tx) => updateListener(tx, owned, finalized, { delivery: "head" }));
    await add(block(11, "11", 1));
    expect(await statesOf(finalized)).toEqual(["held", "waiting"]);
    await settled(10, 10);
    expect(await statesOf(finalized)).toEqual(["waiting", "waiting"]);
  });
});

test("the follower learns which blocks have notifications, without those that left the chain", async () => {
  await listener();
  const left = block(11, "A", 1);
  await add(block(10, "10", 2), left, block(12, "12", 0));
  await remove(left);
  await add(block(11, "B", 1));
  const blocksOf = async (from: number, below: number) =>
    ((await deriver.blocksWithRecords?.(world.database, chainId, { from, below })) ?? []).toSorted(
      (a, b) => a.number - b.number,
    );
  expect(await blocksOf(0, 100)).toEqual([
    { number: 10, hash: hashOf("10") },
    { number: 11, hash: hashOf("B") },
  ]);
  expect(await blocksOf(11, 100)).toEqual([{ number: 11, hash: hashOf("B") }]);
  expect(await blocksOf(0, 11)).toEqual([{ number: 10, hash: hashOf("10") }]);
});

describe("a block that leaves the chain", () => {
  test("produces removals where it was notified, the last first, after additions that still wait", async () => {
    const id = await listener();
    const blocks = [block(10, "10", 1), block(11, "11", 2)];
    await add(...blocks);
    await world.database.query("update webhook_notification set state = 'accepted' where sequence < 3");
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
    expect(woken).toHaveLength(2);
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
      await world.database.query("update webhook_listener set pause_reason = $1", [reason]);
      await remove(block(10, "10", 1));
      expect((await told()).map(({ state }) => state)).toEqual(states);
    },
  );

  test("drops parked notifications without a removal", async () => {
    await listener();
    await add(block(10, "10", 1));
    await settle("parked");
    await remove(block(10, "10", 1));
    expect((await told()).map(({ state }) => state)).toEqual(["dropped"]);
  });

  test("produces a removal if it was accepted once, even if its replay was parked", async () => {
    await listener();
    await add(block(10, "10", 1));
    await world.database.query(
      "insert into webhook_attempt (chain_id, sequence, attempt, at, took_ms, status) values ($1, 1, 1, now(), 1, 200)",
      [chainId],
    );
    await settle("parked");
    await remove(block(10, "10", 1));
    expect((await told()).map(({ body, state, waits }) => [body.type, state, waits])).toEqual([
      ["BLOCK_ADDED", "parked", false],
      ["BLOCK_REMOVED", "waiting", false],
    ]);
    await world.database.query("truncate webhook_attempt");
  });
});

test("blocks that are added again after a rewind are not notified twice", async () => {
  await listener();
  await add(block(10, "10", 1), block(11, "11", 1));
  await world.database.transaction((tx) => deriver.rewound({ ...tx, chainId, isRecent: true }, 5));
  await add(block(10, "10", 1), block(11, "11", 1), block(12, "12", 1));
  expect((await told()).map(({ body }) => body["blockNumber"])).toEqual([10, 11, 12]);
});

test("blocks that replace removed ones are notified, even during a rewind of their numbers", async () => {
  await listener();
  await add(block(10, "10", 1), block(11, "11", 1), block(12, "12", 1));
  await remove(block(11, "11", 0), block(12, "12", 0));
  await world.database.transaction((tx) => deriver.rewound({ ...tx, chainId, isRecent: true }, 10));
  await add(block(10, "10", 1), block(11, "11b", 1), block(12, "12b", 1));
  const added = (await told()).filter(({ body }) => body.type === "BLOCK_ADDED");
  expect(added.map(({ body }) => body["blockNumber"])).toEqual([10, 11, 12, 11, 12]);
  await world.database.transaction((tx) => deriver.rewound({ ...tx, chainId, isRecent: true }, 10));
  await add(block(10, "10", 1), block(11, "11b", 1));
  await remove(block(11, "11b", 0));
  await add(block(11, "11c", 1));
  const last = (await told()).at(-1)?.body;
  expect(last).toMatchObject({ type: "BLOCK_ADDED", blockNumber: 11, blockHash: hashOf("11c") });
});

describe("a listener whose past is read", () => {
  const start = (id: number, next: number) =>
    world.database.query(
      "insert into webhook_past (listener_id, chain_id, from_block, next_block) values ($1, $2, 8, $3)",
      [id, chainId, next],
    );
  const nextOf = async (id: number) =>
    (
      await world.database.query<{ next: number }>(
        "select next_block::float8 as next from webhook_past where listener_id = $1",
        [id],
      )
    )[0]?.next;

  test("gets no new blocks, but their logs are requested", async () => {
    const id = await listener();
    await start(id, 10);
    const filter = await deriver.logFilter(chainId);
    expect(filter.addresses).toEqual(new Set([contract]));
    await add(block(10, "10", 1));
    expect(await told(id)).toEqual([]);
    await world.database.query("delete from webhook_past");
    await world.database.query("update webhook_network set revision = revision + 1");
    // The filter is the same object, so the follower requests nothing again.
    expect(await deriver.logFilter(chainId)).toBe(filter);
    await add(block(11, "11", 1));
    expect((await told(id)).map(({ body }) => body["blockNumber"])).toEqual([11]);
  });

  test.each([
    ["at the first removed block", 12, 12, 12],
    ["above it", 14, 12, 12],
    ["below it", 11, 12, 11],
    ["above a block that no one stored", 14, 13, 12],
    ["above its own first block only", 14, 8, 8],
  ])("%s, continues at the ancestor after a reorganisation", async (_, next, lowest, expected) => {
    const id = await listener();
    await add(block(11, "11", 1));
    await world.database.query(
      "insert into follower_cursor (chain_id, first_block, block_number) values ($1, 5, 14)",
      [chainId],
    );
    await start(id, next);
    await remove(
      ...[14, 13, 12].filter((number) => number > lowest).map((number) => block(number, `${number}`, 0)),
      block(lowest, `${lowest}`, 0),
    );
    expect(await nextOf(id)).toBe(expected);
    await world.database.query("delete from follower_cursor");
  });
});

test("a rolled back transaction leaves no trace", async () => {
  await listener();
  await deriver.logFilter(chainId);
  const work = world.database.transaction(async (tx) => {
    await deriver.added({ ...tx, chainId, isRecent: true }, [block(10, "10", 3)]);
    throw new Error("undone");
  });
  await expect(work).rejects.toThrow("undone");
  await add(block(10, "10", 3));
  expect((await told()).map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
});

describe("an event that can never match", () => {
  const wrong = "Transfer(address,address,uint256)";

  test("is counted, with the declaration that would match", async () => {
    const id = await listener("http://127.0.0.1:9/", { events: [wrong] });
    await add(block(10, "10", 3));
    expect(await told(id)).toEqual([]);
    const miss = { listenerId: id, event: wrong, matchingEvent: transfer, logs: 3, blockNumber: 10 };
    expect(await nearMissesOf(world.database, id)).toEqual([miss]);
    expect(nearMisses).toMatchObject([miss]);
  });

  test("is stored again when its count has doubled", async () => {
    const id = await listener("http://127.0.0.1:9/", { events: [wrong] });
    const logs: number[] = [];
    for (let number = 10; number < 18; number++) {
      await add(block(number, String(number), 1));
      logs.push((await nearMissesOf(world.database, id))[0]?.logs ?? 0);
    }
    expect(logs).toEqual([1, 2, 2, 4, 4, 4, 4, 8]);
    expect(nearMisses).toHaveLength(1);
  });

  test.each([
    [99, 99],
    [100, 100],
    [101, 100],
  ])("of %i such events of a listener, %i are returned", async (events, count) => {
    const id = await listener();
    await world.database.query(
      `insert into webhook_near_miss (listener_id, event, indexed_count, logs, block_number)
       select $1, 'E' || number, 0, number, 1 from generate_series(1, $2::int) as number`,
      [id, events],
    );
    const misses = await nearMissesOf(world.database, id);
    expect(misses.map(({ logs }) => logs)).toEqual(
      Array.from({ length: count }, (_, index) => events - index),
    );
  });

  test("counts the logs of all its contracts together", async () => {
    const other: Hex = `0x${"c1".repeat(20)}`;
    const id = await listener("http://127.0.0.1:9/", {
      events: [wrong],
      contractAddresses: [contract, other],
    });
    const mixed = block(10, "10", 4);
    await add({
      ...mixed,
      logs: mixed.logs.map((log, index) => (index < 3 ? log : { ...log, address: other })),
    });
    expect(await nearMissesOf(world.database, id)).toMatchObject([{ logs: 4 }]);
  });

  test("is not counted if another event of the listener matches the log", async () => {
    const id = await listener("http://127.0.0.1:9/", { events: [wrong, transfer] });
    await add(block(10, "10", 1));
    expect(await told(id)).toHaveLength(1);
    expect(await nearMissesOf(world.database, id)).toEqual([]);
  });

  test("is deleted when the filters change", async () => {
    const id = await listener("http://127.0.0.1:9/", { events: [wrong] });
    await add(block(10, "10", 1));
    const filters = { contractAddresses: [contract], events: [transfer] };
    const { projectId } = world;
    await world.database.transaction((tx) => updateListener(tx, { projectId, chainId }, id, { filters }));
    expect(await nearMissesOf(world.database, id)).toEqual([]);
    await add(block(11, "11", 1));
    expect(await nearMissesOf(world.database, id)).toEqual([]);
    expect(await told(id)).toHaveLength(1);
  });
});
