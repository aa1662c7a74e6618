/**
 * `npm run bench -- derive --rounds 5`: derives orders from the events of a busy market, and measures when a new order appears in a
 * response.
 */

import type { Database } from "../../../server/base/storage/database.ts";
import { openDatabase } from "../../../server/base/storage/open-database.ts";
import { Chains } from "../../../server/chain/rpc/chains.ts";
import { openMarkets } from "../../../server/market/indexer/open-markets.ts";
import { type MarketWorld, startMarketWorld } from "../../server/market/indexer/market-world.ts";
import { localNetwork } from "../../support/local-network.ts";
import { emptyDatabase } from "../../support/server.ts";
import type { Benchmark } from "../benchmark.ts";
import { deployBusyMarkets } from "../indexer/busy-market.ts";
import { emptyPlatform } from "../indexer/empty-platform.ts";
import { follow } from "../indexer/follow.ts";
import { postgresCpuMs } from "./postgres-cpu.ts";
import { measureVisibility } from "./visibility.ts";

const events = 100_000;
const eventsOfBlock = 200;
/** Blocks above the range, so that the whole range is too old for reorganizations. */
const window = 64;
const minEventsPerSecond = 15_000;
const maxVisibleMs = 150;

interface Figures {
  readonly wallMs: number;
  readonly ownMs: number;
  readonly postgresMs: number;
}

export const benchDerive: Benchmark = async ({ rounds }) => {
  const best = await measureBackfill(rounds);
  const visible = await measureVisibility();
  const rate = (events / best.wallMs) * 1_000;
  return [
    ...(rate < minEventsPerSecond
      ? [`${rate.toFixed(0)} events were derived per second, minimum ${minEventsPerSecond}`]
      : []),
    ...(visible.p95 > maxVisibleMs
      ? [`a new order was visible after ${visible.p95.toFixed(0)} ms (p95), limit ${maxVisibleMs}`]
      : []),
  ];
};

/** Returns the fastest round by wall time, because other processes run on this machine too. */
async function measureBackfill(rounds: number): Promise<Figures> {
  await using server = await emptyDatabase();
  await using world = await startMarketWorld();
  const [market] = await deployBusyMarkets(world, 1);
  for (let sent = 0; sent < events; sent += eventsOfBlock) {
    await market?.trade(eventsOfBlock);
    await world.chain.mine();
  }
  const last = await world.chain.head();
  await world.chain.mine(window + 1);
  const taken: Figures[] = [];
  for (let round = 0; round < rounds; round++) {
    // A new connection per round, because cached plans fit the tables of the previous one.
    await using database = openDatabase(
      { connectionString: server.url },
      { connections: 12, statementTimeoutMs: 60_000, namedStatements: true },
    );
    await emptyPlatform(database);
    taken.push(await backfill(database, world, market?.address ?? "", last));
    const { wallMs, ownMs, postgresMs } = taken.at(-1) as Figures;
    console.log(
      `${((events / wallMs) * 1_000).toFixed(0)} events/s wall time; an event takes ${perEvent(ownMs)} µs CPU of this process and ${perEvent(postgresMs)} µs of Postgres`,
    );
  }
  return taken.toSorted((a, b) => a.wallMs - b.wallMs)[0] as Figures;
}

function perEvent(ms: number): string {
  return ((ms * 1_000) / events).toFixed(1);
}

async function backfill(
  database: Database,
  { chain }: MarketWorld,
  market: string,
  last: number,
): Promise<Figures> {
  const network = localNetwork(chain.rpcUrl, {
    follow: { start: 0, window, wsUrls: [chain.wsUrl] },
    markets: [{ kind: "sequence_marketplace_v2", address: market }],
  });
  const chains = new Chains();
  await using markets = openMarkets({
    database,
    networks: [network],
    chainOf: () => chains.of(network),
    events: {
      currenciesFailed: failed,
      orderChecksFailed: failed,
      ratesFailed: failed,
      rateChanged: () => {},
    },
  });
  const [own, postgres, start] = [process.cpuUsage(), await postgresCpuMs(database), performance.now()];
  await using running = follow(database, { network, derivers: markets.derivers });
  await running.reached(last);
  const wallMs = performance.now() - start;
  const { user, system } = process.cpuUsage(own);
  const postgresMs = (await postgresCpuMs(database)) - postgres;
  await checkOrders(database);
  return { wallMs, ownMs: (user + system) / 1_000, postgresMs };
}

/** Checks that all orders match the events, and that no undo data remains for final blocks. */
async function checkOrders(database: Database): Promise<void> {
  const [row] = await database.query<
    Readonly<Record<"made" | "filled" | "partly" | "open" | "undo", number>>
  >(
    `select count(*)::int as made, count(*) filter (where status = 'filled')::int as filled,
       count(*) filter (where quantity_remaining = 6)::int as partly, count(*) filter (where status <> 'filled' and status <> 'cancelled')::int as open,
       (select count(*)::int from market_undo) as undo
     from market_order where origin = 'chain' and quantity_initial = 10`,
  );
  const isWhole =
    row !== undefined &&
    row.made === events / 2 &&
    row.filled === events / 5 &&
    row.partly === events / 10 &&
    row.open > 0 &&
    row.open < (events * 3) / 20 &&
    row.undo === 0;
  if (!isWhole) throw new Error(`the orders do not match the events: ${JSON.stringify(row)}`);
}

function failed(_: number | string, cause: unknown): void {
  console.error(cause);
}
