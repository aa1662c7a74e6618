/** Follows a local chain through a proxy that counts requests, and derives records again from the archive. */
import { gunzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import type { Database } from "../../../../../server/base/storage/database.ts";
import { openDatabase } from "../../../../../server/base/storage/open-database.ts";
import { decodeChunk } from "../../../../../server/chain/follower/archive/chunk.ts";
import { readCheckpoint, requestRewind } from "../../../../../server/chain/follower/checkpoint.ts";
import type { LogFilter } from "../../../../../server/chain/follower/derive/deriver.ts";
import { type Followers, openFollowers } from "../../../../../server/chain/follower/open-followers.ts";
import {
  type EventChain,
  emittedTopic,
  emitterAddress,
  reorganise,
  startEventChain,
} from "../../../../support/event-chain.ts";
import { type FaultyNode, honest, type RpcCall, startFaultyNode } from "../../../../support/faulty-node.ts";
import { localNetwork } from "../../../../support/local-network.ts";
import { seededRandom } from "../../../../support/random.ts";
import {
  recordedLogs,
  recordingDeriver,
  recordingTables,
  violationsOf,
} from "../../../../support/recording-deriver.ts";
import { noSandbox } from "../../../../support/sandbox.ts";
import { migratedDatabase } from "../../../../support/server.ts";
import { oldBlockCalls } from "./old-block-calls.ts";

const chainId = 31_337;
const window = 8;
const emitted: LogFilter = { addresses: new Set([emitterAddress]), topics: new Set([emittedTopic]) };
/** What a market that is not configured yet emits. */
const otherAddress = `0x${"e2".repeat(20)}` as const;
const both: LogFilter = {
  addresses: new Set([emitterAddress, otherAddress]),
  topics: new Set([emittedTopic]),
};
const account = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";

let server: Awaited<ReturnType<typeof migratedDatabase>>;
let database: Database;
let chain: EventChain;
let node: FaultyNode;
let calls: RpcCall[] = [];
let told: string[] = [];
let forecasts: string[] = [];
const followers: Followers[] = [];

afterEach(async () => {
  await stop();
  await database?.[Symbol.asyncDispose]();
  await node?.[Symbol.asyncDispose]();
  await chain?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

async function start(): Promise<void> {
  server = await migratedDatabase();
  database = openDatabase(
    { connectionString: server.url },
    { connections: 12, statementTimeoutMs: 10_000, namedStatements: true },
  );
  await database.query(recordingTables);
  chain = await startEventChain();
  await chain.request(
    "anvil_setCode",
    otherAddress,
    await chain.request("eth_getCode", emitterAddress, "latest"),
  );
  node = await startFaultyNode(chain.rpcUrl);
  node.fault = (exchange) => {
    calls.push(...exchange.calls);
    return honest(exchange);
  };
  calls = [];
  told = [];
  forecasts = [];
}

async function stop(): Promise<void> {
  await Promise.all(followers.splice(0).map((each) => each[Symbol.asyncDispose]()));
}

interface FollowOptions {
  readonly archive: unknown;
  readonly filter?: LogFilter;
  readonly settings?: object;
}

function follow({ archive, filter = emitted, settings = {} }: FollowOptions): void {
  const quiet = (): void => {};
  const network = localNetwork(node.rpcUrl, {
    follow: { start: 0, window, pollMs: 50, rangeBlocks: 10, archive, ...settings },
  });
  followers.push(
    openFollowers({
      database,
      hasSessions: true,
      networks: [network],
      derivers: [recordingDeriver(filter)],
      events: {
        leadTaken: quiet,
        leadLost: quiet,
        headSeen: quiet,
        catchingUp: (_, __, forecast) => void forecasts.push(forecast),
        advanced: quiet,
        reorganised: quiet,
        skipped: quiet,
        nodeDemoted: quiet,
        rewound: (_, from) => void told.push(`rewound ${from}`),
        archiveDamaged: (_, from, to) => void told.push(`damaged ${from}-${to}`),
        failed: (_, cause) => void told.push(`failed ${cause}`),
        stopped: (_, reason) => void told.push(`stopped ${reason}`),
      },
    }),
  );
}

async function grow(blocks: number, random = seededRandom(blocks)): Promise<void> {
  for (let block = 0; block < blocks; block++) {
    if (random.chance(60)) await chain.emit(1 + random.below(4));
    if (random.chance(60)) await emitOther(1 + random.below(3));
    await chain.mine();
  }
}

async function emitOther(count: number): Promise<void> {
  const data = `0x${count.toString(16).padStart(2, "0")}${"00".repeat(32)}`;
  await chain.request("eth_sendTransaction", { from: account, to: otherAddress, data, gas: "0x4c4b40" });
}

async function expectedLogs({ addresses }: LogFilter): Promise<readonly string[]> {
  const logs = (await chain.request("eth_getLogs", {
    fromBlock: "0x0",
    toBlock: "latest",
    address: [...(addresses ?? [])],
  })) as readonly Readonly<Record<"blockNumber" | "blockHash" | "logIndex" | "data", string>>[];
  return logs.map(
    ({ blockNumber, blockHash, logIndex, data }) =>
      `${Number(blockNumber)} ${blockHash} ${Number(logIndex)} ${data}`,
  );
}

/** Waits until the recorded logs are those of the chain. */
async function untilEqual(filter: LogFilter = emitted): Promise<void> {
  const head = await chain.head();
  await expect
    .poll(
      async () => {
        const checkpoint = await readCheckpoint(database, chainId);
        return checkpoint?.rewindTo === undefined && checkpoint?.number === head && checkpoint.hash;
      },
      { timeout: 120_000 },
    )
    .toBe(((await chain.request("eth_getBlockByNumber", "latest", false)) as { readonly hash: string }).hash);
  expect(await recordedLogs(database)).toEqual(await expectedLogs(filter));
  expect(await violationsOf(database)).toEqual([]);
}

/** Derives all records again, and returns the calls about blocks that can no longer leave the chain. */
async function reindex(filter: LogFilter = emitted, from = 0): Promise<readonly string[]> {
  calls = [];
  await requestRewind(database, chainId, from);
  await untilEqual(filter);
  return oldBlockCalls(chain, window, calls);
}

interface Stored {
  readonly chunks: number;
  readonly blocks: number;
  readonly bytes: number;
  readonly lowest: number;
}

async function stored(): Promise<Stored | undefined> {
  const [row] = await database.query<Stored>(
    `select count(*)::int as chunks, coalesce(sum(to_block - from_block + 1), 0)::int as blocks,
       coalesce(sum(bytes), 0)::int as bytes, min(from_block)::int as lowest from follower_archive`,
  );
  return row;
}

/** Archived blocks that are not, or no longer, part of the chain. */
async function blocksOffChain(): Promise<readonly string[]> {
  const rows = await database.query<{ readonly data: Buffer }>("select data from follower_archive");
  const off: string[] = [];
  for (const { data } of rows) {
    const { to, blocks } = decodeChunk(chainId, gunzipSync(data), {});
    for (const { number, hash } of [...blocks, to]) {
      const header = (await chain.request("eth_getBlockByNumber", `0x${number.toString(16)}`, false)) as {
        readonly hash: string;
      };
      if (header.hash !== hash) off.push(`${number} ${hash}`);
    }
  }
  return off;
}

describe.skipIf(noSandbox)("the archive", () => {
  test("derives records again without a request for blocks that were read in ranges or followed live", async () => {
    await start();
    await grow(40);
    follow({ archive: true });
    await untilEqual();
    await grow(30);
    await untilEqual();
    expect((await recordedLogs(database)).length).toBeGreaterThan(60);
    expect(await reindex()).toEqual([]);
    // From within a chunk.
    expect(await reindex(emitted, 13)).toEqual([]);
    expect(told).toEqual(["rewound 0", "rewound 13"]);
  });

  test("asks the nodes for a new contract if it has only matching logs, and then keeps these too", async () => {
    await start();
    await grow(40);
    follow({ archive: true });
    await untilEqual();
    await stop();
    follow({ archive: true, filter: both });
    expect(await reindex(both)).not.toEqual([]);
    expect(await reindex(both)).toEqual([]);
  });

  test("with all logs has those of a new contract", async () => {
    await start();
    await grow(40);
    follow({ archive: { logs: "all" } });
    await untilEqual();
    await grow(20);
    await untilEqual();
    await stop();
    follow({ archive: { logs: "all" }, filter: both });
    expect(await reindex(both)).toEqual([]);
  });

  test("is read again from the nodes where it is damaged", async () => {
    await start();
    await grow(60);
    follow({ archive: true });
    await untilEqual();
    const [damaged] = await database.query<{ readonly blocks: string }>(
      `update follower_archive set data = set_byte(data, bytes / 2, get_byte(data, bytes / 2) # 1)
       where id = (select min(id) from follower_archive where from_block > 5) returning from_block || '-' || to_block as blocks`,
    );
    expect(await reindex()).not.toEqual([]);
    expect(told).toEqual(["rewound 0", `damaged ${damaged?.blocks}`]);
    expect(await reindex()).toEqual([]);
  });

  test("loses blocks that leave the chain", async () => {
    await start();
    await grow(30);
    follow({ archive: true });
    await untilEqual();
    const random = seededRandom(5);
    // The first one is deeper than the window, so it starts within a chunk of several blocks.
    for (const depth of [12, 1, 6]) {
      await reorganise(chain, depth);
      await grow(4 + random.below(8), random);
      await untilEqual();
      expect(await blocksOffChain()).toEqual([]);
    }
    await reindex();
    expect(await reindex()).toEqual([]);
  });

  test("notices blocks that left the chain while another host ignored the archive", async () => {
    await start();
    await grow(30);
    follow({ archive: true });
    await untilEqual();
    await stop();
    const rows = await database.query("select * from follower_archive where to_block > 24");
    expect(rows.length).toBeGreaterThan(0);
    await reorganise(chain, 6);
    await grow(20);
    // As a host of an earlier version would do.
    await database.query("create table kept as select * from follower_archive");
    follow({ archive: false });
    await untilEqual();
    await stop();
    await database.query(
      `insert into follower_archive_coverage (chain_id, digest, addresses, topics, has_indexes) overriding system value
       select 31337, sha256('all'), null, null, false`,
    );
    await database.query(
      `insert into follower_archive (chain_id, from_block, to_block, coverage_id, bytes, digest, data)
       select chain_id, from_block, to_block, (select max(id) from follower_archive_coverage), bytes, digest, data from kept`,
    );
    follow({ archive: true });
    await reindex();
  });

  test("counts in the forecast of a catch-up", async () => {
    await start();
    await grow(10);
    await chain.mine(4_000);
    // Too few chunks to be merged, and too many to be derived in one transaction.
    follow({ archive: true, settings: { rangeBlocks: 100 } });
    await untilEqual();
    expect(forecasts).toEqual([expect.stringMatching(/^about [1-9]\d\d requests$/)]);
    expect(await reindex()).toEqual([]);
    // The header and the logs of each block in the window.
    await expect.poll(() => forecasts.slice(1)).toEqual(["about 16 requests"]);
  });

  test("merges the chunks of single blocks", async () => {
    await start();
    follow({ archive: true });
    await untilEqual();
    for (let block = 0; block < 80; block++) {
      await grow(1, seededRandom(block + 1));
      await untilEqual();
    }
    const { chunks, blocks } = (await stored()) ?? { chunks: 0, blocks: 0 };
    expect(blocks).toBe((await chain.head()) + 1);
    expect(chunks).toBeLessThan(40);
    expect(await reindex()).toEqual([]);
  });

  test("drops the oldest blocks above its maximum size, and is deleted when it is switched off", async () => {
    await start();
    for (let block = 0; block < 120; block++) {
      await noise();
      await chain.mine();
    }
    await grow(window + 1);
    follow({ archive: { logs: "all", maxMegabytes: 1 } });
    await untilEqual();
    const { bytes, lowest } = (await stored()) ?? { bytes: 0, lowest: 0 };
    expect(bytes).toBeLessThanOrEqual(1_000_000);
    expect(bytes).toBeGreaterThan(500_000);
    expect(lowest).toBeGreaterThan(20);
    await stop();
    follow({ archive: false });
    await expect.poll(stored, { timeout: 60_000 }).toMatchObject({ chunks: 0 });
    await untilEqual();
  });
});

/** A log with data that cannot be compressed. Needs a contract: logs its input. */
async function noise(): Promise<void> {
  const address = `0x${"e3".repeat(20)}`;
  // calldatacopy(0, 0, calldatasize); log0(0, calldatasize)
  await chain.request("anvil_setCode", address, "0x366000600037366000a000");
  const random = seededRandom(noises++);
  const data = `0x${Array.from({ length: 16_000 }, () => (1 + random.below(255)).toString(16).padStart(2, "0")).join("")}`;
  await chain.request("eth_sendTransaction", { from: account, to: address, data, gas: "0x4c4b40" });
}
let noises = 1;
