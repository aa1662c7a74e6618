import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Database } from "../../server/base/storage/database.ts";
import { markExpiredOrders } from "../../server/market/records/orders/expired-orders.ts";
import { checkPlans } from "../server/market/records/check-plans.ts";
import { databaseOf } from "../support/database.ts";
import { keptIn, makeData, type RunningHost, startHost } from "../support/host.ts";
import {
  collectionAddress,
  dropMarket,
  type MarketSize,
  makeEndedMarket,
  makeMarket,
  makeProperties,
} from "../support/market-data.ts";
import { openLoop, postBytes, quantile } from "../support/open-loop.ts";
import { seededRandom } from "../support/random.ts";
import type { PartOptions } from "./part.ts";

const chainId = 137;
/** Beyond those with orders: as many tokens as a large collection has. */
const propertyTokens = 50_000;

const requestsPerSecond = 200;
/** Until a host has what one has that serves for a while: code that V8 has optimised, and plans of its statements on each connection. */
const warmUpMs = 12_000;
const marketP99MaxMs = 25;
const filtersP99MaxMs = 50;
const cpuMost = 1.3;

/** The read methods over a million orders: latency at a fixed rate, and the CPU of a read beside a program written by hand. */
export async function benchReads({ rounds, seed, orders, keep }: PartOptions): Promise<readonly string[]> {
  const size = { chainId, orders, collections: 2_000, collectibles: 200_000 };
  await using data = keep === undefined ? await makeData() : keptIn(keep);
  const unlimited = "1000000000";
  await using host = await startHost({
    data,
    args: [
      "--networks",
      "polygon",
      "--rate-limit-project",
      unlimited,
      "--rate-limit-address",
      unlimited,
      "--max-lag-ms",
      "60000",
    ],
  });
  await using database = databaseOf(data, loadMaxMs);
  await fill(database, size);
  await printSizes(database, orders);
  const broken = [...(await checkPlans(database, size))];
  const ids = await database.query<OrderName>(
    `select collection.address, market_order.order_id as "orderId" from market_order
     join collection on collection.id = market_order.collection_id limit 1000`,
  );
  const random = seededRandom(seed);
  const anyCollection = (): string => collectionAddress(1 + random.below(size.collections));
  const methods: readonly Method[] = [
    ["/polygon/rpc/Marketplace/GetOrders", () => orderBody(random.pick(ids)), marketP99MaxMs],
    ["/polygon/rpc/Marketplace/GetFloorOrder", () => ({ contractAddress: anyCollection() }), marketP99MaxMs],
    [
      "/polygon/rpc/Marketplace/GetHighestPriceOfferForCollectible",
      () => ({ contractAddress: anyCollection(), tokenId: String(1 + random.below(size.collectibles)) }),
      marketP99MaxMs,
    ],
    [
      "/polygon/rpc/Marketplace/ListCollectibles",
      () => ({ contractAddress: anyCollection(), side: random.pick(["listing", "offer"]) }),
      marketP99MaxMs,
    ],
    [
      "/rpc/Metadata/TokenCollectionFilters",
      () => ({ chainId: String(chainId), contractAddress: collectionAddress(0) }),
      filtersP99MaxMs,
    ],
  ];
  const load = { host, database, rounds };
  broken.push(...(await loadTogether(load, methods.slice(0, 4))));
  for (const [path, body, p99MaxMs] of methods) {
    broken.push(...(await loadMethod(load, path, body, p99MaxMs)));
  }
  broken.push(...(await readEnded(load)));
  return [...broken, ...(await compareCpu(host, database, ids, rounds))];
}

/** While the host notes that most orders of a collection have ended. */
async function readEnded(load: Load): Promise<readonly string[]> {
  const { database } = load;
  const ended = { chainId, address: `0xed${"0".repeat(38)}`, orders: 20_000 };
  // Of a run that was broken off.
  await dropMarket(database, chainId, ended.address);
  await makeEndedMarket(database, ended);
  try {
    const noted = async (): Promise<number> => {
      const [row] = await database.query<{ count: number }>(
        "select count(*)::int from market_order where status = 'expired' and collection_id = (select id from collection where chain_id = $1 and address = $2)",
        [chainId, ended.address],
      );
      return row?.count ?? 0;
    };
    const before = await noted();
    const broken: string[] = [];
    for (const method of ["GetFloorOrder", "ListCollectibles"])
      broken.push(
        ...(await loadMethod(
          load,
          `/polygon/rpc/Marketplace/${method}`,
          () => ({ contractAddress: ended.address, side: "listing" }),
          marketP99MaxMs,
        )),
      );
    console.log(
      `of ${ended.orders} orders that were over but for a twentieth, ${before} were noted before these two, and ${await noted()} after`,
    );
    return broken.map((sentence) => `of a market that has ended: ${sentence}`);
  } finally {
    await dropMarket(database, chainId, ended.address);
  }
}

interface Load {
  readonly host: RunningHost;
  readonly database: Database;
  readonly rounds: number;
}

type Method = readonly [path: string, body: () => object, p99MaxMs: number];

/** The rate is that of all together, in equal shares, and each method is held to its own bound. */
async function loadTogether({ host, rounds }: Load, methods: readonly Method[]): Promise<readonly string[]> {
  const headers = { "X-Access-Key": host.accessKey };
  const port = Number(new URL(host.url).port);
  const run = (durationMs: number) =>
    Promise.all(
      methods.map(([path, body]) =>
        openLoop({
          port,
          requestsPerSecond: requestsPerSecond / methods.length,
          connections: 64 / methods.length,
          durationMs,
          request: () => postBytes(path, JSON.stringify(body()), headers),
        }),
      ),
    );
  await run(warmUpMs);
  const results = await run(1_000 * rounds);
  return results.flatMap(({ latencies, lost }, index) => {
    const [path = "", , p99MaxMs = 0] = methods[index] ?? [];
    const answered = latencies.get(200) ?? [];
    const all = [...latencies.values()].reduce((sum, { length }) => sum + length, lost);
    const p99 = quantile(answered, 0.99);
    const name = `${path.split("/").at(-1)} among the four`;
    console.log(
      `${name}: p50 ${quantile(answered, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms of ${answered.length}, ${all - answered.length} others`,
    );
    return [
      ...(p99 > p99MaxMs ? [`${name}: p99 is ${p99.toFixed(1)} ms, over ${p99MaxMs}`] : []),
      ...(all > answered.length ? [`${name}: not all are answered`] : []),
    ];
  });
}

async function loadMethod(
  { host, database, rounds }: Load,
  path: string,
  body: () => object,
  p99MaxMs: number,
): Promise<readonly string[]> {
  const headers = { "X-Access-Key": host.accessKey };
  const request = (): Buffer => postBytes(path, JSON.stringify(body()), headers);
  const load = { port: Number(new URL(host.url).port), requestsPerSecond, connections: 64, request };
  await openLoop({ ...load, durationMs: warmUpMs });
  const spent = await cpuOf(host, database);
  const { latencies, lost } = await openLoop({ ...load, durationMs: 1_000 * rounds });
  const cpu = spent();
  const answered = latencies.get(200) ?? [];
  const others = [...latencies]
    .filter(([status]) => status !== 200)
    .map(([status, all]) => `${all.length} × ${status}`);
  const p99 = quantile(answered, 0.99);
  const name = path.split("/").at(-1);
  console.log(
    `${name}: p50 ${quantile(answered, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms of ${answered.length}, ${lost} lost ${others.join(", ")}`,
  );
  // What else runs on the machine makes latencies long; this says whether the host could do better.
  if (cpu !== undefined)
    console.log(
      `  host ${(cpu.host / answered.length).toFixed(1)} ms and database ${(cpu.database / answered.length).toFixed(1)} ms of CPU a call`,
    );
  return [
    ...(p99 > p99MaxMs ? [`${name}: p99 is ${p99.toFixed(1)} ms, over ${p99MaxMs}`] : []),
    ...(others.length + lost > 0 ? [`${name}: not all are answered`] : []),
  ];
}

/**
 * Data that was kept by another run is used as it is: its orders end in 2021 or in 2100. What a host would still write in it, and what
 * was written lately, is settled before anything is measured.
 */
async function fill(database: Database, size: MarketSize): Promise<void> {
  const start = performance.now();
  const [kept] = await database.query("select from market_order limit 1");
  if (kept === undefined) {
    await makeMarket(database, size);
    await makeProperties(database, { chainId, address: collectionAddress(0), tokens: propertyTokens });
    console.log(`${size.orders} orders were made in ${((performance.now() - start) / 1_000).toFixed(0)} s`);
  }
  while ((await markExpiredOrders(database)) > 0);
  // What the database would do of its own accord after so many writes is not what is measured.
  await database.query("vacuum analyze");
  await database.query("checkpoint");
  console.log(`the data was made ready in ${((performance.now() - start) / 1_000).toFixed(0)} s`);
}

/** Longest a statement of the load may take, in milliseconds. */
const loadMaxMs = 3_600_000;

interface OrderName {
  readonly address: string;
  readonly orderId: string;
}

function orderBody({ address, orderId }: OrderName): object {
  return { input: [{ contractAddress: address, orderId }] };
}

async function printSizes(database: Database, orders: number): Promise<void> {
  const rows = await database.query<{ name: string; bytes: string }>(
    `select relname as name, pg_relation_size(oid) as bytes from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'i') order by pg_relation_size(oid) desc limit 10`,
  );
  for (const { name, bytes } of rows)
    console.log(
      `${name}: ${(Number(bytes) / 2 ** 20).toFixed(0)} MiB, ${(Number(bytes) / orders).toFixed(0)} bytes an order`,
    );
}

interface Cpu {
  readonly host: number;
  readonly database: number;
}

/** Milliseconds from now on. Undefined where there is no /proc. */
async function cpuOf(host: RunningHost, database: Database): Promise<() => Cpu | undefined> {
  if (process.platform !== "linux") return () => undefined;
  const backends = await database.query<{ pid: number }>(
    "select pid from pg_stat_activity where datname = current_database()",
  );
  // A connection that was closed meanwhile has no figure, and did little.
  const starts = [host.process.pid, ...backends.map(({ pid }) => pid)].map((pid) => {
    const start = cpuMs(pid);
    return () => (cpuMs(pid) ?? 0) - (start ?? 0);
  });
  return () => {
    const [ofHost = 0, ...ofBackends] = starts.map((spent) => Math.max(0, spent()));
    return { host: ofHost, database: ofBackends.reduce((sum, ms) => sum + ms, 0) };
  };
}

/** One order by its id, from the host and from a program written by hand, in turns. */
async function compareCpu(
  host: RunningHost,
  database: Database,
  ids: readonly OrderName[],
  rounds: number,
): Promise<readonly string[]> {
  if (process.platform !== "linux") {
    console.log("the CPU of a read is left out: it is measured by /proc");
    return [];
  }
  const program = fileURLToPath(new URL("reads/hand-written.mjs", import.meta.url));
  const child = spawn(process.execPath, [program, JSON.stringify(database.connection), host.accessKey], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [line] = (await once(child.stdout as NonNullable<ChildProcess["stdout"]>, "data")) as [Buffer];
    const sides = [
      { url: `${host.url}/polygon/rpc/Marketplace/GetOrders`, pid: host.process.pid },
      { url: `http://127.0.0.1:${String(line).trim()}/`, pid: child.pid },
    ].map((side) => ({ ...side, costs: [] as number[] }));
    for (let turn = -warmUpTurns; turn < rounds * turnsOfRound; turn++) {
      // What the machine does for who comes second is done for each in half of the turns.
      for (const { url, pid, costs } of turn % 2 === 0 ? sides : sides.toReversed()) {
        const before = cpuMs(pid) ?? 0;
        await readAll(url, host.accessKey, ids);
        if (turn >= 0) costs.push((((cpuMs(pid) ?? 0) - before) / calls) * 1_000);
      }
    }
    const [ours = [], theirs = []] = sides.map(({ costs }) => costs);
    const ratios = ours.map((cost, turn) => cost / (theirs[turn] ?? Number.NaN));
    const ratio = quantile(ratios, 0.5);
    console.log(
      `an order by its id: ${quantile(ours, 0.5).toFixed(0)} µs CPU, by hand ${quantile(theirs, 0.5).toFixed(0)} µs, ${ratio.toFixed(2)} times (${quantile(ratios, 0.25).toFixed(2)} to ${quantile(ratios, 0.75).toFixed(2)} in half of ${ratios.length} turns)`,
    );
    return ratio <= cpuMost
      ? []
      : [`a read takes ${ratio.toFixed(2)} times the CPU of a program written by hand`];
  } finally {
    child.kill();
  }
}

/** Reads one order a call. */
async function readAll(url: string, accessKey: string, ids: readonly OrderName[]): Promise<void> {
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      for (let call = worker; call < calls; call += workers) {
        const response = await fetch(url, {
          method: "POST",
          headers: { "content-type": "application/json", "x-access-key": accessKey },
          body: JSON.stringify(orderBody(ids[call % ids.length] as OrderName)),
        });
        const { orders } = (await response.json()) as { readonly orders: readonly unknown[] };
        if (orders.length !== 1) throw new Error(`${url} answers ${orders.length} orders`);
      }
    }),
  );
}

/** Of one turn: some 25 ticks of CPU, so that a tick more or less is no difference. */
const calls = 1_000;
const workers = 8;
/** Turns differ by a fifth from each other: fewer of them say little. */
const turnsOfRound = 4;
/** Until V8 has optimised the program by hand as it has the host. */
const warmUpTurns = 12;

/** User and system time of a process; undefined if it has ended. Ticks are 10 ms on every Linux that Node runs on. */
function cpuMs(pid: number | undefined): number | undefined {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return undefined;
  const fields = readFileSync(path, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return 10 * (Number(fields[11]) + Number(fields[12]));
}
