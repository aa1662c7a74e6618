/**
 * `npm run bench -- archive --logs 1000000 --events 4000`: indexes one market of a chain with this many logs, all of which the archive keeps.
 * Then adds a second market, and derives all orders again. The events are those of both markets.
 */
import type { Database } from "../../server/base/storage/database.ts";
import { openDatabase } from "../../server/base/storage/open-database.ts";
import { requestRewind } from "../../server/chain/follower/checkpoint.ts";
import type { Network } from "../../server/chain/networks/network.ts";
import { createSequenceMarketDeriver } from "../../server/market/indexer/sequence-market/sequence-market-deriver.ts";
import { startMarketWorld } from "../server/market/indexer/market-world.ts";
import { emitterAddress, transferEmitter } from "../support/event-chain.ts";
import { localNetwork } from "../support/local-network.ts";
import { emptyDatabase } from "../support/server.ts";
import type { Benchmark } from "./benchmark.ts";
import { deployBusyMarkets } from "./indexer/busy-market.ts";
import { emptyPlatform } from "./indexer/empty-platform.ts";
import { follow } from "./indexer/follow.ts";
import { countRequests, requestsSoFar } from "./indexer/requests.ts";

const window = 64;
/** Logs that belong to no market. */
const logsOfTransaction = 200;
const transactionsOfBlock = 5;
const logsOfBlock = logsOfTransaction * transactionsOfBlock;
/** Of each market, in blocks at equal distances. */
const eventsOfBlock = 200;
/** Calls for the chain id, the newest block and the latest blocks, which are below the window's size. */
const maxRecentCalls = 4 * window;
const maxShare = 0.1;

interface Run {
  readonly ms: number;
  /** Of this process. */
  readonly cpuMs: number;
  readonly calls: number;
  readonly logs: number;
}

export const benchArchive: Benchmark = async ({ logs, events }) => {
  await using server = await emptyDatabase();
  await using world = await startMarketWorld();
  const { chain } = world;
  await chain.request("anvil_setCode", emitterAddress, transferEmitter);
  const markets = await deployBusyMarkets(world, 2);
  const [first, second] = markets.map(({ address }) => address);
  const marketEvery = Math.max(1, Math.floor((logs / logsOfBlock / events) * markets.length * eventsOfBlock));
  for (let block = 0; block < logs / logsOfBlock; block++) {
    for (let count = 0; count < transactionsOfBlock; count++) await chain.emit(logsOfTransaction);
    if (block % marketEvery === 0) for (const market of markets) await market.trade(eventsOfBlock);
    await chain.mine();
  }
  await chain.mine(window + 1);
  const last = (await chain.head()) - window;
  countRequests();
  const oneMarket = [{ kind: "sequence_marketplace_v1", address: first }];
  const bothMarkets = [...oneMarket, { kind: "sequence_marketplace_v2", address: second }];
  const networkOf = (markets: readonly object[], archive: unknown): Network =>
    localNetwork(chain.rpcUrl, { follow: { start: 0, window, archive }, markets });

  await using fresh = await migrated(server.url);
  const plain = await indexed(fresh, networkOf(bothMarkets, false), last);
  const expected = await ordersOf(fresh);
  await using database = await migrated(server.url);
  const before = await indexed(database, networkOf(oneMarket, { logs: "all" }), last);
  const { bytes, chunks } = await sizeOf(database);
  await requestRewind(database, 31_337, 0);
  const again = await indexed(database, networkOf(bothMarkets, { logs: "all" }), last);
  if ((await ordersOf(database)) !== expected)
    throw new Error("the orders differ from those of a fresh index");

  const share = again.ms / before.ms;
  const cpuShare = again.cpuMs / before.cpuMs;
  print("both markets without the archive", plain);
  print("one market, with all logs kept", before);
  print("both markets from the archive", again);
  console.log(
    `the archive has ${before.logs} logs in ${chunks} chunks and ${(bytes / 1e6).toFixed(1)} MB, ${(bytes / before.logs).toFixed(0)} bytes for a log`,
  );
  console.log(
    `deriving from the archive took ${(share * 100).toFixed(1)} % of the first time, ${(cpuShare * 100).toFixed(1)} % of its CPU time; equal orders`,
  );
  return [
    ...(share > maxShare ? [`deriving from the archive took ${(share * 100).toFixed(1)} %, limit 10 %`] : []),
    ...(again.calls > maxRecentCalls
      ? [`${again.calls} calls were sent to the node, limit ${maxRecentCalls}`]
      : []),
  ];
};

/** A connection to an empty platform database. Cached plans fit the tables of earlier measurements, so each one has its own. */
async function migrated(url: string): Promise<Database> {
  const database = openDatabase(
    { connectionString: url },
    { connections: 8, statementTimeoutMs: 60_000, namedStatements: true },
  );
  await emptyPlatform(database);
  return database;
}

/** Follows the chain up to this block. */
async function indexed(database: Database, network: Network, last: number): Promise<Run> {
  let logs = 0;
  const { calls } = requestsSoFar();
  const [cpu, start] = [process.cpuUsage(), performance.now()];
  await using running = follow(database, {
    network,
    derivers: [createSequenceMarketDeriver([network], () => {})],
    on: {
      advanced: (_, advanced) => {
        logs += advanced.logs;
      },
    },
  });
  await running.reached(last);
  const { user, system } = process.cpuUsage(cpu);
  const ms = performance.now() - start;
  return { ms, cpuMs: (user + system) / 1_000, calls: requestsSoFar().calls - calls, logs };
}

/** All columns that do not depend on the time or the order of insertion. */
async function ordersOf(database: Database): Promise<string | undefined> {
  const [row] = await database.query<{ readonly orders: string; readonly count: number }>(
    `select count(*)::int as count, md5(string_agg(line, chr(10) order by line)) as orders from (
       select (to_jsonb(o) - array['id', 'collection_id', 'collectible_id', 'currency_id', 'created_at', 'updated_at'])::text as line
       from market_order o
     ) as lines`,
  );
  if ((row?.count ?? 0) === 0) throw new Error("no orders were derived");
  return `${row?.count} ${row?.orders}`;
}

async function sizeOf(database: Database): Promise<{ readonly bytes: number; readonly chunks: number }> {
  const [row] = await database.query<{ readonly bytes: number; readonly chunks: number }>(
    "select sum(bytes)::float as bytes, count(*)::int as chunks from follower_archive",
  );
  return row ?? { bytes: 0, chunks: 0 };
}

function print(title: string, { ms, cpuMs, calls, logs }: Run): void {
  console.log(
    `${title.padEnd(34)} ${ms.toFixed(0).padStart(7)} ms, ${cpuMs.toFixed(0)} ms CPU of this process, ${calls} calls, ${logs} logs read`,
  );
}
