/**
 * `npm run bench -- indexer --rounds 5`: catches up with a chain, with and without webhooks (compared with ponder if installed), follows it
 * live, and reorganizes it.
 */
import type { Database } from "../../../server/base/storage/database.ts";
import { openDatabase } from "../../../server/base/storage/open-database.ts";
import type { Network } from "../../../server/chain/networks/network.ts";
import { type EventChain, startEventChain, transferEmitter } from "../../support/event-chain.ts";
import { localNetwork } from "../../support/local-network.ts";
import { emptyDatabase } from "../../support/server.ts";
import type { Benchmark } from "../benchmark.ts";
import { postgresCpuMs } from "../derive/postgres-cpu.ts";
import { emptyPlatform } from "./empty-platform.ts";
import { floor } from "./floor.ts";
import { follow } from "./follow.ts";
import { openNotificationDeriver, prepareNotifications } from "./notifications.ts";
import { isPonderInstalled, runPonder } from "./ponder.ts";
import { countRequests, type Requests, requestsSoFar } from "./requests.ts";
import { rowDeriver, rowTables } from "./rows.ts";

const blocks = 2_500;
const logsOfBlock = 40;
/** Blocks above the range, so that the whole range is too old for reorganizations. */
const window = 64;
/** Required multiple of ponder's rate. */
const minRateRatio = 8;
/** Limits for matching and storing notifications; two of them are multiples of the floor. */
const notificationLimits = { minEventsPerSecond: 30_000, maxCpuRatio: 3, maxRequestRatio: 1.2 };

interface Figures extends Requests {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly postgresMs: number;
}

const titles = {
  floor: "floor: getLogs, headers, COPY",
  follower: "follower: the same rows",
  notifications: "follower: notifications",
} as const;
type Candidate = keyof typeof titles;

export const benchIndexer: Benchmark = async ({ rounds }) => {
  await using server = await emptyDatabase();
  await using chain = await startEventChain(31_337, transferEmitter);
  for (let block = 0; block < blocks; block++) {
    await chain.emit(logsOfBlock);
    await chain.mine();
  }
  await chain.mine(window);
  await using database = openDatabase(
    { connectionString: server.url },
    { connections: 8, statementTimeoutMs: 60_000, namedStatements: true },
  );
  countRequests();
  const taken: Readonly<Record<Candidate, Figures[]>> = { floor: [], follower: [], notifications: [] };
  const ponderMs: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const order = ["floor", "follower", "ponder", "notifications"] as const;
    for (const name of round % 2 === 0 ? order : order.toReversed()) {
      if (name === "ponder") {
        // It starts a process, so it needs no round to warm up.
        if (isPonderInstalled && round > 0) ponderMs.push(await measurePonder(database, server.url, chain));
        continue;
      }
      const figures = await measured(server.url, name, chain);
      if (round > 0) taken[name].push(figures);
    }
  }
  const least = median(taken.floor);
  const ours = median(taken.follower);
  const notifications = median(taken.notifications);
  for (const [name, figures] of Object.entries({ floor: least, follower: ours, notifications }))
    printFigures(titles[name as Candidate], figures);
  const share = least.wallMs / ours.wallMs;
  console.log(
    `of the floor's rate: ${(share * 100).toFixed(0)} % by wall time, ${((least.cpuMs / ours.cpuMs) * 100).toFixed(0)} % by CPU time of this process`,
  );
  if (!isPonderInstalled)
    console.log("ponder is skipped; to install it: npm ci --ignore-scripts --prefix test/bench/ponder");
  const times = isPonderInstalled ? printPonder(ponderMs, ours) : undefined;
  const live = await measureLive(database, chain);
  return [
    ...describeSlowNotifications(notifications, least),
    ...(times !== undefined && times < minRateRatio
      ? [`the follower has ${times.toFixed(1)} times ponder's rate, minimum ${minRateRatio}`]
      : []),
    ...(share < 0.4
      ? [`the follower has ${(share * 100).toFixed(0)} % of the floor's rate, minimum 40 %`]
      : []),
    ...(live.undoneMs > 80
      ? [`a reorganization of depth 5 took ${live.undoneMs.toFixed(0)} ms, limit 80`]
      : []),
  ];
};

function describeSlowNotifications(ours: Figures, least: Figures): readonly string[] {
  const { minEventsPerSecond, maxCpuRatio, maxRequestRatio } = notificationLimits;
  const rate = ((blocks * logsOfBlock) / ours.wallMs) * 1_000;
  const ratios = { cpuMs: maxCpuRatio, http: maxRequestRatio, calls: maxRequestRatio } as const;
  return [
    ...(rate < minEventsPerSecond
      ? [`notifications of ${rate.toFixed(0)} events were stored per second, minimum ${minEventsPerSecond}`]
      : []),
    ...(["cpuMs", "http", "calls"] as const)
      .filter((key) => ours[key] > least[key] * ratios[key])
      .map(
        (key) =>
          `storing notifications took ${(ours[key] / least[key]).toFixed(2)} times the floor's ${key}, limit ${ratios[key]}`,
      ),
  ];
}

function measurePonder(database: Database, databaseUrl: string, { rpcUrl }: EventChain): Promise<number> {
  return runPonder(database, { databaseUrl, rpcUrl, logs: blocks * logsOfBlock });
}

/** Returns the follower's rate as a multiple of ponder's. */
function printPonder(times: readonly number[], { wallMs }: Figures): number {
  const logs = blocks * logsOfBlock;
  const ms = times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
  console.log(
    `${"ponder, its request limit lifted".padEnd(30)} ${((logs / ms) * 1_000).toFixed(0).padStart(5)} logs/s ${ms.toFixed(0).padStart(6)} ms: the follower has ${(ms / wallMs).toFixed(1)} times its rate`,
  );
  return ms / wallMs;
}

/** Uses new connections, because cached plans fit the tables of the previous measurement. */
async function measured(url: string, name: Candidate, chain: EventChain): Promise<Figures> {
  await using database = openDatabase(
    { connectionString: url },
    { connections: 8, statementTimeoutMs: 60_000, namedStatements: true },
  );
  await (name === "notifications" ? prepareNotifications(database) : prepare(database));
  const [cpu, postgres, requests] = [process.cpuUsage(), await postgresCpuMs(database), requestsSoFar()];
  const start = performance.now();
  if (name === "floor") await floor(database, chain.rpcUrl, blocks);
  else {
    const deriver = name === "follower" ? rowDeriver : openNotificationDeriver(database, chain.rpcUrl);
    await using running = follow(database, { network: networkOf(chain), derivers: [deriver] });
    await running.reached(blocks);
  }
  const wallMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  const postgresMs = (await postgresCpuMs(database)) - postgres;
  const [row] = await database.query<{ logs: number; blocks: number }>(countSql[name]);
  if (row?.logs !== blocks * logsOfBlock || row.blocks !== blocks)
    throw new Error(`rows are missing: ${JSON.stringify(row)}`);
  const { http, calls } = requestsSoFar();
  return {
    wallMs,
    cpuMs: (user + system) / 1_000,
    postgresMs,
    http: http - requests.http,
    calls: calls - requests.calls,
  };
}

const rowCountSql =
  "select (select count(*) from bench_log)::int as logs, (select count(*) from bench_block)::int as blocks";
const countSql: Readonly<Record<Candidate, string>> = {
  floor: rowCountSql,
  follower: rowCountSql,
  notifications: `select (select count(*) from webhook_notification)::int as logs, count(distinct block_hash)::int as blocks from webhook_batch`,
};

async function prepare(database: Database): Promise<void> {
  await emptyPlatform(database);
  await database.query(rowTables);
}

function networkOf({ rpcUrl, wsUrl }: EventChain): Network {
  return localNetwork(rpcUrl, { follow: { start: 0, window, wsUrls: [wsUrl] } });
}

/** Measures from the response to `evm_mine` to the commit. Includes about 40 ms in which the local chain announces the block. */
async function measureLive(database: Database, chain: EventChain): Promise<{ readonly undoneMs: number }> {
  await prepare(database);
  let undone = (): void => {};
  const on = { reorganized: () => undone() };
  await using running = follow(database, { network: networkOf(chain), derivers: [rowDeriver], on });
  await running.reached(await chain.head());
  const lags: number[] = [];
  for (let turn = 0; turn < 100; turn++) {
    await chain.emit(5);
    await chain.mine();
    const mined = performance.now();
    await running.reached(await chain.head());
    lags.push(performance.now() - mined);
  }
  const depths: number[] = [];
  for (let turn = 0; turn < 10; turn++) {
    const done = new Promise<void>((resolve) => {
      undone = resolve;
    });
    await chain.request("anvil_reorg", 5, []);
    const changed = performance.now();
    await done;
    depths.push(performance.now() - changed);
    // Empty blocks would be identical again after the reorganization.
    for (let block = 0; block < 6; block++) {
      await chain.emit(5);
      await chain.mine();
    }
    await running.reached(await chain.head());
  }
  const sorted = lags.toSorted((a, b) => a - b);
  console.log(
    `mined to committed, ms: p50 ${at(sorted, 50)}, p95 ${at(sorted, 95)}, worst ${at(sorted, 100)}`,
  );
  const sortedDepths = depths.toSorted((a, b) => a - b);
  console.log(
    `a reorganization of depth 5, from the node's answer to the commit, ms: p50 ${at(sortedDepths, 50)}, worst ${at(sortedDepths, 100)}`,
  );
  return { undoneMs: sortedDepths[sortedDepths.length >> 1] ?? Number.NaN };
}

function at(sorted: readonly number[], percent: number): string {
  return (
    sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN
  ).toFixed(1);
}

function median(figures: readonly Figures[]): Figures {
  const middle = (key: keyof Figures): number =>
    figures.map((one) => one[key]).toSorted((a, b) => a - b)[figures.length >> 1] ?? Number.NaN;
  return {
    wallMs: middle("wallMs"),
    cpuMs: middle("cpuMs"),
    postgresMs: middle("postgresMs"),
    http: middle("http"),
    calls: middle("calls"),
  };
}

function printFigures(name: string, { wallMs, cpuMs, postgresMs, http, calls }: Figures): void {
  const logs = blocks * logsOfBlock;
  const perLog = (ms: number): string => ((ms * 1_000) / logs).toFixed(1).padStart(5);
  console.log(
    `${name.padEnd(30)} ${((logs / wallMs) * 1_000).toFixed(0).padStart(7)} logs/s ${wallMs.toFixed(0).padStart(6)} ms; a log takes ${perLog(cpuMs)} µs CPU of this process, ${perLog(postgresMs)} of Postgres; ${http} HTTP requests with ${calls} calls`,
  );
}
