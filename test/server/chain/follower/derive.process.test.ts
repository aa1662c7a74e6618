import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../../server/base/storage/database.ts";
import { DatabaseFault } from "../../../../server/base/storage/fault.ts";
import { openDatabase } from "../../../../server/base/storage/open-database.ts";
import {
  advanceCheckpoint,
  type Checkpoint,
  createCheckpoint,
  markStopped,
  readCheckpoint,
  readRecentBlocks,
  Superseded,
  takeOver,
} from "../../../../server/chain/follower/checkpoint.ts";
import type { BlockRef, ChainBlock, ChainLog } from "../../../../server/chain/follower/derive/blocks.ts";
import { type ChainStep, derive } from "../../../../server/chain/follower/derive/derive.ts";
import type { Deriver } from "../../../../server/chain/follower/derive/deriver.ts";
import { matchesNothing, unionOfFilters } from "../../../../server/chain/follower/derive/log-filter.ts";
import type { Hex } from "../../../../server/chain/rpc/chain.ts";
import { migratedDatabase } from "../../../support/server.ts";

let server: Awaited<ReturnType<typeof migratedDatabase>>;
let database: Database;

beforeAll(async () => {
  server = await migratedDatabase();
  database = openDatabase(
    { connectionString: server.url },
    { connections: 4, statementTimeoutMs: 10_000, namedStatements: true },
  );
  await database.query("create table heard (chain_id bigint, block int, log_index int, what text not null)");
});
afterAll(async () => {
  await database?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

const hash = (number: number): Hex => `0x${number.toString(16).padStart(64, "0")}`;
const contract = (byte: string): Hex => `0x${byte.repeat(20)}`;

function block(number: number, addresses: readonly Hex[] = []): ChainBlock {
  const logs = addresses.map(
    (address, logIndex): ChainLog => ({
      address,
      topics: [],
      data: "0x",
      transactionHash: hash(number),
      transactionIndex: 0,
      logIndex,
      indexInTransaction: logIndex,
    }),
  );
  return { number, hash: hash(number), parentHash: hash(number - 1), timestamp: number, logs };
}

/** Writes a row per log. A log of a forbidden contract violates a constraint of the table. */
function writer(name: string, forbidden?: Hex): Deriver {
  return {
    name,
    logFilter: () => ({}),
    async added(tx, blocks) {
      const rows = blocks.flatMap(({ number, logs }) =>
        logs.map(({ logIndex, address }) => [
          tx.chainId,
          number,
          logIndex,
          address === forbidden ? null : name,
        ]),
      );
      await tx.copy("heard", ["chain_id", "block", "log_index", "what"], rows);
      return undefined;
    },
    async removed(tx, blocks) {
      for (const { number } of blocks)
        await tx.query("delete from heard where chain_id = $1 and block = $2 and what = $3", [
          tx.chainId,
          number,
          name,
        ]);
      return undefined;
    },
    async rewound() {},
  };
}

const heard = (chainId: number) =>
  database.query<{ block: number; log_index: number; what: string }>(
    "select block, log_index, what from heard where chain_id = $1 order by what, block, log_index",
    [chainId],
  );

const added = (chainId: number, ...blocks: readonly ChainBlock[]): ChainStep => ({
  chainId,
  removed: [],
  added: blocks,
  head: blocks.at(-1)?.number ?? 0,
  includesEmptyBlocks: true,
});
const nothing = async (): Promise<void> => {};
const all = (...derivers: readonly Deriver[]) => derivers.map((deriver) => ({ deriver, filter: {} }));

test("a deriver that fails on a log skips that log, without effect on other derivers", async () => {
  await createCheckpoint(database, 1, 1);
  const [good, bad] = [contract("aa"), contract("bb")];
  const step = added(1, block(1, [good]), block(2, [good, bad, good]), block(3, [bad]));
  const { skipped } = await derive(database, step, all(writer("picky", bad), writer("calm")), nothing);
  expect(skipped.map(({ deriver, block, logIndex }) => [deriver, block.number, logIndex])).toEqual([
    ["picky", 2, 1],
    ["picky", 3, 0],
  ]);
  const rows = (await heard(1)).map(({ what, block, log_index }) => `${what} ${block} ${log_index}`);
  expect(rows).toEqual([
    "calm 1 0",
    "calm 2 0",
    "calm 2 1",
    "calm 2 2",
    "calm 3 0",
    "picky 1 0",
    "picky 2 0",
    "picky 2 2",
  ]);
  const kept = await database.query("select deriver, step, block_number, log_index from follower_skipped");
  expect(kept).toEqual([
    { deriver: "picky", step: "added", block_number: "2", log_index: 1 },
    { deriver: "picky", step: "added", block_number: "3", log_index: 0 },
  ]);
});

test("the reason of a skipped log is stored without the secrets of URLs", async () => {
  await createCheckpoint(database, 12, 1);
  const fetching: Deriver = {
    ...writer("fetching"),
    async added() {
      throw new Error("GET https://user:pw@h.example/v1/0123456789abcdef0123456789abcdef failed");
    },
  };
  await derive(database, added(12, block(1, [contract("aa")])), all(fetching), nothing);
  expect(await database.query("select reason from follower_skipped where chain_id = 12")).toEqual([
    { reason: "Error: GET https://[redacted]@h.example/v1/[redacted] failed" },
  ]);
});

test("records are rolled back and no callback is called if the checkpoint cannot be written", async () => {
  await createCheckpoint(database, 2, 1);
  let called = 0;
  const caller: Deriver = { ...writer("caller"), added: async () => () => void called++ };
  const fail = async (): Promise<void> => {
    throw new Superseded("somebody else");
  };
  const step = added(2, block(1, [contract("aa")]));
  await expect(derive(database, step, all(writer("a"), caller), fail)).rejects.toBeInstanceOf(Superseded);
  expect(await heard(2)).toEqual([]);
  const { after } = await derive(database, step, all(writer("a"), caller), nothing);
  expect([called, after.length]).toEqual([0, 1]);
});

test("an unavailable database does not skip logs", async () => {
  const away: Deriver = {
    ...writer("away"),
    added: async () => {
      throw new DatabaseFault("gone");
    },
  };
  await expect(derive(database, added(2, block(1)), all(away), nothing)).rejects.toBeInstanceOf(
    DatabaseFault,
  );
});

test("each deriver gets the logs of its own filter", async () => {
  const [a, b] = [contract("aa"), contract("bb")];
  const seen: Record<string, number[]> = {};
  const watcher = (name: string): Deriver => ({
    ...writer(name),
    async added(_, blocks) {
      seen[name] = blocks.map(({ logs }) => logs.length);
      return undefined;
    },
  });
  const filter = { addresses: new Set([a]) };
  const wanting = [
    { deriver: watcher("a"), filter },
    { deriver: watcher("all"), filter: {} },
  ];
  const step = added(2, block(1, [a, b]), block(2, [b]));
  await derive(database, step, wanting, nothing);
  expect(seen).toEqual({ a: [1, 0], all: [2, 1] });
  await derive(database, { ...step, includesEmptyBlocks: false }, wanting, nothing);
  expect(seen).toEqual({ a: [1], all: [2, 1] });
  expect(unionOfFilters([filter, { addresses: new Set([b]), topics: new Set<Hex>() }]).addresses).toEqual(
    new Set([a, b]),
  );
  expect(matchesNothing(unionOfFilters([]))).toBe(true);
});

test("a superseded follower cannot commit, and its successor finds its blocks", async () => {
  await createCheckpoint(database, 3, 10);
  await createCheckpoint(database, 3, 99);
  const epoch = await takeOver(database, 3);
  const refs: BlockRef[] = [10, 11, 12, 13].map((number) => block(number));
  const way = { chainId: 3, epoch, settled: 10, head: 13 };
  await advanceCheckpoint(database, {
    ...way,
    from: { number: 9 },
    to: refs[3] as BlockRef,
    ancestor: 9,
    blocks: refs,
  });
  expect((await readRecentBlocks(database, 3)).map(({ number }) => number)).toEqual([13, 12, 11]);
  const back = {
    ...way,
    from: { number: 13 },
    to: refs[2] as BlockRef,
    ancestor: 11,
    blocks: refs.slice(2, 3),
    settled: 9,
  };
  await advanceCheckpoint(database, back);
  const place: Checkpoint = {
    firstBlock: 10,
    number: 12,
    hash: hash(12),
    stopped: undefined,
    rewindTo: undefined,
    epoch,
    reportsFinality: false,
  };
  expect(await readCheckpoint(database, 3)).toEqual(place);
  await advanceCheckpoint(database, {
    ...back,
    from: { number: 12 },
    to: block(30),
    blocks: [block(30)],
    settled: 30,
  });
  expect(await readRecentBlocks(database, 3)).toEqual([]);
  await takeOver(database, 3);
  await expect(advanceCheckpoint(database, { ...back, from: { number: 30 } })).rejects.toBeInstanceOf(
    Superseded,
  );
  await markStopped(database, 3, epoch + 1, "too deep");
  expect((await readCheckpoint(database, 3))?.stopped).toBe("too deep");
});
