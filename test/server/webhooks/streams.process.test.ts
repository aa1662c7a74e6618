/** Streams of events, from blocks to items. Each test has two readers, as of two hosts on one database. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runMaintenance } from "../../../server/webhooks/delivery/maintenance.ts";
import { EventStreams, type StreamItem } from "../../../server/webhooks/streams/event-streams.ts";
import { alice, block, bob, chainId, contract, transfer, useNotifyWorld } from "./notify-world.ts";

const shared = useNotifyWorld();
const { add, remove } = shared;
let hosts: readonly [EventStreams, EventStreams];
beforeEach(() => {
  const { database } = shared.world;
  hosts = [new EventStreams({ database, canListen: true }), new EventStreams({ database, canListen: false })];
});
afterEach(async () => {
  for (const host of hosts) await host[Symbol.asyncDispose]();
});

const all = { contractAddresses: [contract], events: [transfer] };

function open(filter: object = {}, host = hosts[0], projectId = shared.world.projectId): Promise<string> {
  const database = shared.world.database.sharedBy([]);
  return host.topicOf(database, { projectId, chainId }, { ...all, ...filter });
}

/** The items after a position as lines: number, type, block and index. */
async function linesAfter(
  topic: string,
  position: string,
  host = hosts[0],
): Promise<readonly string[] | "gap"> {
  const entries = await host.itemsAfter(topic, position, 10_000);
  if (entries === "gap") return "gap";
  return entries.map(({ id, item }) => {
    expect(item.id).toBe(id);
    const log = (item as StreamItem & { readonly log: Record<string, unknown> }).log;
    expect(log["id"]).toBe(log["sequence"]);
    return `${log["sequence"]} ${log["type"]} ${log["blockNumber"]} ${log["txnLogIndex"]}`;
  });
}

test("a stream has the events of the blocks after it, and their removals in reverse order", async () => {
  await add(block(1, "1", 1));
  const topic = await open();
  const start = await hosts[0].position(topic);
  await add(block(2, "2", 2));
  await add(block(3, "3", 1));
  await remove(block(3, "3", 1), block(2, "2", 2));
  await add(block(2, "2'", 1));
  const expected = [
    "1 BLOCK_ADDED 2 0",
    "2 BLOCK_ADDED 2 1",
    "3 BLOCK_ADDED 3 0",
    "4 BLOCK_REMOVED 3 0",
    "5 BLOCK_REMOVED 2 1",
    "6 BLOCK_REMOVED 2 0",
    "7 BLOCK_ADDED 2 0",
  ];
  for (const host of hosts) expect(await linesAfter(topic, start, host)).toEqual(expected);
  expect(await linesAfter(topic, start.replace(/0$/, "5"))).toEqual(expected.slice(5));
  expect(await linesAfter(topic, await hosts[1].position(topic))).toEqual([]);
  // A block that returns and leaves again.
  await remove(block(2, "2'", 1));
  await add(block(2, "2", 2));
  await remove(block(2, "2", 2));
  expect((await linesAfter(topic, start.replace(/0$/, "8")))?.slice(0)).toEqual([
    "9 BLOCK_ADDED 2 0",
    "10 BLOCK_ADDED 2 1",
    "11 BLOCK_REMOVED 2 1",
    "12 BLOCK_REMOVED 2 0",
  ]);
});

test("an item has the fields of EventLog, decoded", async () => {
  const topic = await open();
  const start = await hosts[0].position(topic);
  await add(block(1, "1", 1));
  const [entry] = (await hosts[0].itemsAfter(topic, start, 1)) as readonly { readonly item: StreamItem }[];
  expect(entry?.item.log).toEqual({
    id: 1,
    sequence: 1,
    uid: expect.stringMatching(/^[0-9a-f]{64}$/),
    type: "BLOCK_ADDED",
    blockNumber: 1,
    blockHash: block(1, "1", 0).hash,
    parentBlockHash: block(1, "1", 0).parentHash,
    contractAddress: contract,
    contractType: "ERC20",
    txnHash: expect.stringMatching(/^0x/),
    txnIndex: 2,
    txnLogIndex: 0,
    ts: "2023-11-14T22:13:21.000Z",
    logDataType: "TOKEN_TRANSFER",
    event: {
      topicHash: expect.stringMatching(/^0xddf252ad/),
      eventSig: "Transfer(address,address,uint256)",
      types: ["address", "address", "uint256"],
      names: ["from", "to", "value"],
      values: [alice, bob, `0x${"0".repeat(64)}`],
    },
    rawLog: { data: `0x${"0".repeat(64)}`, topics: expect.any(Array) },
  });
});

test("a project shares a stream for a filter, listeners get the same events, and other projects other streams", async () => {
  const listener = await shared.listener();
  const topic = await open();
  expect(await open({ events: [`  ${transfer}`] }, hosts[1])).toBe(topic);
  const narrow = await open({ accounts: [`0x${"dd".repeat(20)}`] });
  const [other] = await shared.world.database.query<{ id: string }>(
    "insert into project (name) values ('Other') returning id",
  );
  const others = await open({}, hosts[0], Number(other?.id));
  expect(new Set([topic, narrow, others]).size).toBe(3);
  const starts = await Promise.all([topic, narrow, others].map((each) => hosts[0].position(each)));
  await add(block(1, "1", 1));
  expect(await shared.told(listener)).toHaveLength(1);
  expect(await linesAfter(topic, starts[0] ?? "")).toHaveLength(1);
  expect(await linesAfter(narrow, starts[1] ?? "")).toEqual([]);
  expect(await linesAfter(others, starts[2] ?? "")).toHaveLength(1);
  expect(await linesAfter(topic, starts[2] ?? "")).toBe("gap");
  expect(await linesAfter(topic, "nonsense")).toBe("gap");
});

test("a rewind by an operator repeats nothing", async () => {
  const topic = await open();
  const start = await hosts[0].position(topic);
  await add(block(1, "1", 1));
  await shared.step(async (tx, deriver) => {
    await deriver.rewound(tx, 1);
    return undefined;
  });
  await add(block(1, "1", 1));
  await add(block(2, "2", 1));
  expect(await linesAfter(topic, start)).toEqual(["1 BLOCK_ADDED 1 0", "2 BLOCK_ADDED 2 0"]);
});

describe("the window", () => {
  test.each([
    [4_999, "whole"],
    [5_000, "whole"],
    [5_001, "gap"],
  ])("a reader that is %i items behind has a window that is %s", async (items, verdict) => {
    const topic = await open();
    const start = await hosts[0].position(topic);
    await add(block(1, "1", items));
    const lines = await linesAfter(topic, start);
    expect(lines === "gap" ? lines : lines.length).toBe(verdict === "gap" ? "gap" : items);
  });

  test("if deleted items of a removed block cannot be revoked, all positions are gaps", async () => {
    const topic = await open();
    await add(block(1, "1", 1));
    await add(block(2, "2", 5_001));
    const before = await hosts[0].position(topic);
    await remove(block(2, "2", 5_001));
    expect(await linesAfter(topic, before)).toBe("gap");
    const after = await hosts[0].position(topic);
    await add(block(2, "2'", 1));
    expect(await linesAfter(topic, after)).toHaveLength(1);
  });

  test("if deleted items stay on the chain, the others are revoked", async () => {
    const topic = await open();
    await add(block(1, "1", 1));
    await add(block(2, "2", 5_000));
    const before = await hosts[0].position(topic);
    await remove(block(2, "2", 5_000));
    expect(await linesAfter(topic, before)).toHaveLength(5_000);
  });

  test.each([
    ["59 minutes", 1],
    ["60 minutes 1 second", "gap"],
  ])("items are kept for an hour: after %s a reader gets %s", async (age, expected) => {
    const topic = await open();
    const start = await hosts[0].position(topic);
    await add(block(1, "1", 1));
    await shared.world.database.query("update event_stream_item set stored_at = now() - $1::interval", [age]);
    await runMaintenance(shared.world.database);
    const lines = await linesAfter(topic, start);
    expect(lines === "gap" ? lines : lines.length).toBe(expected);
    await add(block(2, "2", 1));
    expect(await linesAfter(topic, start)).toEqual(expected === 1 ? expect.any(Array) : "gap");
  });

  test.each([
    ["59 minutes", true],
    ["60 minutes 1 second", false],
  ])("a stream without readers for %s is kept: %s", async (age, isKept) => {
    const topic = await open();
    await shared.world.database.query("update event_stream set read_at = now() - $1::interval", [age]);
    await runMaintenance(shared.world.database);
    expect((await open()) === topic).toBe(isKept);
  });
});

describe("limits of a project", () => {
  const numbered = (index: number): Promise<string> => open({ tokenIDs: [String(index)] });
  const age = (topic: string, idle: string): Promise<unknown> =>
    shared.world.database.query("update event_stream set read_at = now() - $2::interval where id = $1", [
      topic,
      idle,
    ]);

  test("50 filters are allowed, a 51st is not, and replaces one without readers for two minutes", async () => {
    const topics = await Promise.all(Array.from({ length: 49 }, (_, index) => numbered(index)));
    const last = await numbered(49);
    await expect(numbered(50)).rejects.toThrow(/^\/filter: .* already have 50 different filters/);
    await age(last, "1 minute 59 seconds");
    await expect(numbered(50)).rejects.toThrow("50 different filters");
    await age(last, "2 minutes 1 second");
    await numbered(50);
    expect(await Promise.all(Array.from({ length: 49 }, (_, index) => numbered(index)))).toEqual(topics);
  });

  test("a reader keeps its stream", async () => {
    const topic = await numbered(0);
    await age(topic, "30 minutes 1 second");
    const stop = hosts[1].onPublish(topic, () => {});
    const idle = "select from event_stream where read_at < now() - interval '1 minute'";
    await expect.poll(() => shared.world.database.query(idle)).toEqual([]);
    stop();
  });

  test("the filters may have a mebibyte together", async () => {
    const wide = (digit: number): object => ({
      accounts: Array.from({ length: 1_000 }, (_, index) => `0x${digit}${String(index).padStart(39, "0")}`),
      topicHashes: Array.from({ length: 1_000 }, (_, index) => `0x${String(index).padStart(64, "0")}`),
    });
    for (let digit = 0; digit < 8; digit++) await open(wide(digit));
    await expect(open(wide(8)).then(() => open(wide(9)))).rejects.toThrow(
      /^\/filter: .* would have \d+ bytes, at most 1048576/,
    );
  });
});

test("both hosts wake their readers, with and without LISTEN", async () => {
  const topic = await open();
  const woken = hosts.map((host) => new Promise<void>((wake) => host.onPublish(topic, wake)));
  await add(block(1, "1", 1));
  await Promise.all(woken);
});

test("waiting readers share one read", async () => {
  const topic = await open();
  const start = await hosts[0].position(topic);
  const reads = [hosts[0].itemsAfter(topic, start, 10), hosts[0].itemsAfter(topic, start, 10)];
  expect(reads[0]).toBe(reads[1]);
  await Promise.all(reads);
});
