import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
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
import type { BenchmarkOptions } from "./benchmark.ts";
import { processCpu } from "./process-cpu.ts";

const chainId = 137;
/** Tokens without orders, as many as a large collection has. */
const propertyTokens = 50_000;

/** A list takes up to 6 ms of CPU of host and database. At a higher rate, two cores that also send the calls would measure their queue. */
const requestsPerSecond = 50;
/** Warm-up until V8 has optimized the code and each connection has its plans; the methods share most of the code. */
const warmUpMs = 12_000;
const warmUpOfMethodMs = 4_000;
const maxP99Ms = 15;
const maxCpuRatio = 1.3;

/** Latency of the read methods at a fixed rate over a million orders, and the CPU time of a read compared with hand-written code. */
export async function benchReads({
  rounds,
  seed,
  orders,
  keep,
}: BenchmarkOptions): Promise<readonly string[]> {
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
      "--trusted-proxies",
      "127.0.0.1",
    ],
  });
  await using database = databaseOf(data, maxLoadMs);
  await fill(database, size);
  await printSizes(database, orders);
  const broken = [...(await checkPlans(database, size))];
  const ids = await database.query<OrderName>(
    `select collection.address, market_order.order_id as "orderId" from market_order
     join collection on collection.id = market_order.collection_id limit 1000`,
  );
  const random = seededRandom(seed);
  const anyCollection = (): string => collectionAddress(1 + random.below(size.collections));
  const collection = (): object => ({ contractAddress: anyCollection() });
  const token = (): object => ({ ...collection(), tokenId: String(1 + random.below(size.collectibles)) });
  const sided = (): object => ({ ...collection(), side: random.pick(["listing", "offer"]) });
  const byToken = (body: () => object) => (): object => ({
    ...body(),
    page: { sort: [{ column: "tokenId", order: random.pick(["ASC", "DESC"]) }] },
  });
  const ofChain = (body: () => object) => (): object => ({ ...body(), chainId: String(chainId) });
  const methods: readonly Method[] = [
    ["/polygon/rpc/Marketplace/GetOrders", () => orderBody(random.pick(ids))],
    ["/polygon/rpc/Marketplace/GetFloorOrder", collection],
    ["/polygon/rpc/Marketplace/GetHighestPriceOfferForCollectible", token],
    ["/polygon/rpc/Marketplace/ListCollectibles", sided],
    ["/polygon/rpc/Marketplace/ListCollectibles", byToken(sided), "by tokenId"],
    ...[
      "GetLowestPriceListingForCollectible",
      "GetHighestPriceListingForCollectible",
      "GetLowestPriceOfferForCollectible",
      "ListListingsForCollectible",
      "ListOffersForCollectible",
      "GetCountOfListingsForCollectible",
      "GetCountOfOffersForCollectible",
    ].map((method): Method => [`/polygon/rpc/Marketplace/${method}`, token]),
    ...["ListListings", "ListOffers"].flatMap((method): readonly Method[] => [
      [`/polygon/rpc/Marketplace/${method}`, collection],
      [`/polygon/rpc/Marketplace/${method}`, byToken(collection), "by tokenId"],
    ]),
    ["/polygon/rpc/Marketplace/ListOrdersWithCollectibles", sided],
    ["/polygon/rpc/Marketplace/ListOrdersWithCollectibles", byToken(sided), "by tokenId"],
    ...["GetCountOfAllOrders", "GetCountOfFilteredOrders", "GetCountOfFilteredCollectibles"].map(
      (method): Method => [`/polygon/rpc/Marketplace/${method}`, sided],
    ),
    ...[
      "GetCountOfAllCollectibles",
      "GetCollectionDetail",
      "GetCollectionActiveListingsCurrencies",
      "GetCollectionActiveOffersCurrencies",
    ].map((method): Method => [`/polygon/rpc/Marketplace/${method}`, collection]),
    ["/polygon/rpc/Marketplace/ListCurrencies", () => ({})],
    ["/rpc/Metadata/SearchTokenMetadata", ofChain(collection)],
    ["/rpc/Metadata/TokenCollectionFilters", ofChain(() => ({ contractAddress: collectionAddress(0) }))],
  ];
  const load = { host, database, rounds };
  broken.push(...(await loadTogether(load, methods.slice(0, 4))));
  for (const method of methods) broken.push(...(await loadMethod(load, method)));
  broken.push(...(await readEnded(load)));
  return [...broken, ...(await compareCpu(host, database, ids, rounds))];
}

/** Reads a collection while the host marks most of its orders as expired. */
async function readEnded(load: Load): Promise<readonly string[]> {
  const { database } = load;
  const ended = { chainId, address: `0xed${"0".repeat(38)}`, orders: 20_000 };
  // Left over from an aborted run.
  await dropMarket(database, chainId, ended.address);
  await makeEndedMarket(database, ended);
  try {
    const marked = async (): Promise<number> => {
      const [row] = await database.query<{ count: number }>(
        "select count(*)::int from market_order where status = 'expired' and collection_id = (select id from collection where chain_id = $1 and address = $2)",
        [chainId, ended.address],
      );
      return row?.count ?? 0;
    };
    const before = await marked();
    const broken: string[] = [];
    for (const method of ["GetFloorOrder", "ListCollectibles"])
      broken.push(
        ...(await loadMethod(load, [
          `/polygon/rpc/Marketplace/${method}`,
          () => ({ contractAddress: ended.address, side: "listing" }),
        ])),
      );
    console.log(
      `of ${ended.orders} orders, 95 % of them expired, ${before} were marked before these two methods, and ${await marked()} after`,
    );
    return broken.map((sentence) => `in an expired market: ${sentence}`);
  } finally {
    await dropMarket(database, chainId, ended.address);
  }
}

interface Load {
  readonly host: RunningHost;
  readonly database: Database;
  readonly rounds: number;
}

type Method = readonly [path: string, body: () => object, variant?: string];

/**
 * The reads come from many addresses of one project, because the host limits the connections of each: to a quarter of the pool, and a queue
 * of one address that does not drain is rejected with HTTP 503.
 */
function requestsOf({ accessKey }: RunningHost, [path, body]: Method): () => Buffer {
  let caller = 0;
  return () => {
    caller = (caller + 1) % 200;
    return postBytes(path, JSON.stringify(body()), headersOf(accessKey, caller));
  };
}

function headersOf(accessKey: string, caller: number) {
  return { "X-Access-Key": accessKey, "X-Forwarded-For": `203.0.113.${caller}` };
}

/** Loads all methods at the same time, in equal shares of one total rate. */
async function loadTogether({ host, rounds }: Load, methods: readonly Method[]): Promise<readonly string[]> {
  const port = Number(new URL(host.url).port);
  const run = (durationMs: number) =>
    Promise.all(
      methods.map((method) =>
        openLoop({
          port,
          requestsPerSecond: requestsPerSecond / methods.length,
          connections: 64 / methods.length,
          durationMs,
          request: requestsOf(host, method),
        }),
      ),
    );
  await run(warmUpMs);
  const results = await run(1_000 * rounds);
  return results.flatMap(({ latencies, lost }, index) => {
    const [path = ""] = methods[index] ?? [];
    const answered = latencies.get(200) ?? [];
    const all = [...latencies.values()].reduce((sum, { length }) => sum + length, lost);
    const p99 = quantile(answered, 0.99);
    const name = `${path.split("/").at(-1)} among the four`;
    console.log(
      `${name}: p50 ${quantile(answered, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms of ${answered.length}, ${all - answered.length} others`,
    );
    return [
      ...(p99 > maxP99Ms ? [`${name}: p99 is ${p99.toFixed(1)} ms, over ${maxP99Ms}`] : []),
      ...(all > answered.length ? [`${name}: some calls failed`] : []),
    ];
  });
}

async function loadMethod({ host, database, rounds }: Load, method: Method): Promise<readonly string[]> {
  const [path, , variant] = method;
  const request = requestsOf(host, method);
  const load = { port: Number(new URL(host.url).port), requestsPerSecond, connections: 64, request };
  await openLoop({ ...load, durationMs: warmUpOfMethodMs });
  const spent = await cpuOf(host, database);
  const { latencies, lost } = await openLoop({ ...load, durationMs: 1_000 * rounds });
  const cpu = spent();
  const answered = latencies.get(200) ?? [];
  const others = [...latencies]
    .filter(([status]) => status !== 200)
    .map(([status, all]) => `${all.length} × ${status}`);
  const p99 = quantile(answered, 0.99);
  const name = [path.split("/").at(-1), variant].filter((part) => part !== undefined).join(" ");
  console.log(
    `${name}: p50 ${quantile(answered, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms of ${answered.length}, ${lost} lost ${others.join(", ")}`,
  );
  // Other processes on the machine increase latencies; CPU time shows whether the host could do better.
  if (cpu !== undefined)
    console.log(
      `  host ${(cpu.host / answered.length).toFixed(1)} ms and database ${(cpu.database / answered.length).toFixed(1)} ms of CPU a call`,
    );
  return [
    ...(p99 > maxP99Ms ? [`${name}: p99 is ${p99.toFixed(1)} ms, over ${maxP99Ms}`] : []),
    ...(others.length + lost > 0 ? [`${name}: some calls failed`] : []),
  ];
}

/** Reuses data of an earlier run; its orders end in 2021 or in 2100. Pending writes are finished before anything is measured. */
async function fill(database: Database, size: MarketSize): Promise<void> {
  const start = performance.now();
  const [kept] = await database.query("select from market_order limit 1");
  if (kept === undefined) {
    await makeMarket(database, size);
    await makeProperties(database, { chainId, address: collectionAddress(0), tokens: propertyTokens });
    console.log(
      `${size.orders} orders were created in ${((performance.now() - start) / 1_000).toFixed(0)} s`,
    );
  }
  while ((await markExpiredOrders(database)) > 0);
  // Database maintenance after many writes is not to be measured.
  await database.query("vacuum analyze");
  await database.query("checkpoint");
  console.log(`the data was ready after ${((performance.now() - start) / 1_000).toFixed(0)} s`);
}

/** Statement timeout while loading, in milliseconds. */
const maxLoadMs = 3_600_000;

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

/** Starts a measurement, and returns a function that reads the CPU milliseconds since. Undefined without /proc. */
async function cpuOf(host: RunningHost, database: Database): Promise<() => Cpu | undefined> {
  if (process.platform !== "linux") return () => undefined;
  const backends = await database.query<{ pid: number }>(
    "select pid from pg_stat_activity where datname = current_database()",
  );
  // Connections that were closed in between have no figure, and did little.
  const starts = [host.process.pid, ...backends.map(({ pid }) => pid)].map((pid) => {
    const start = processCpu(pid)?.ms ?? 0;
    return () => (processCpu(pid)?.ms ?? 0) - start;
  });
  return () => {
    const [ofHost = 0, ...ofBackends] = starts.map((spent) => Math.max(0, spent()));
    return { host: ofHost, database: ofBackends.reduce((sum, ms) => sum + ms, 0) };
  };
}

/** Reads one order by id, alternating between the host and a hand-written program. */
async function compareCpu(
  host: RunningHost,
  database: Database,
  ids: readonly OrderName[],
  rounds: number,
): Promise<readonly string[]> {
  if (process.platform !== "linux") {
    console.log("the CPU time of a read is skipped: it needs /proc");
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
      // Alternates which program goes first, so that neither has the advantage of a warm machine.
      for (const { url, pid, costs } of turn % 2 === 0 ? sides : sides.toReversed()) {
        const before = processCpu(pid)?.ms ?? 0;
        await readAll(url, host.accessKey, ids);
        if (turn >= 0) costs.push((((processCpu(pid)?.ms ?? 0) - before) / calls) * 1_000);
      }
    }
    const [ours = [], theirs = []] = sides.map(({ costs }) => costs);
    const ratios = ours.map((cost, turn) => cost / (theirs[turn] ?? Number.NaN));
    const ratio = quantile(ratios, 0.5);
    console.log(
      `an order by its id: ${quantile(ours, 0.5).toFixed(0)} µs CPU, by hand ${quantile(theirs, 0.5).toFixed(0)} µs, ${ratio.toFixed(2)} times (${quantile(ratios, 0.25).toFixed(2)} to ${quantile(ratios, 0.75).toFixed(2)} in half of ${ratios.length} turns)`,
    );
    return ratio <= maxCpuRatio
      ? []
      : [`a read takes ${ratio.toFixed(2)} times the CPU of the hand-written program`];
  } finally {
    child.kill();
  }
}

/** Reads one order per call. A rejected call is repeated when the host asks for it. */
async function readAll(url: string, accessKey: string, ids: readonly OrderName[]): Promise<void> {
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      for (let call = worker; call < calls; ) {
        const response = await fetch(url, {
          method: "POST",
          headers: { "content-type": "application/json", ...headersOf(accessKey, worker) },
          body: JSON.stringify(orderBody(ids[call % ids.length] as OrderName)),
        });
        const body = await response.text();
        if (response.status === 503) {
          await sleep(1_000 * Number(response.headers.get("retry-after") ?? 1));
          continue;
        }
        if (response.status !== 200) throw new Error(`${url} responds with HTTP ${response.status}: ${body}`);
        const { orders } = JSON.parse(body) as { readonly orders: readonly unknown[] };
        if (orders.length !== 1) throw new Error(`${url} returns ${orders.length} orders`);
        call += workers;
      }
    }),
  );
}

/** Calls per turn: about 25 ticks of CPU, so that a single tick does not matter. */
const calls = 1_000;
/** As many connections as a project may use without waiting: it may hold as many as it leaves free. */
const workers = 4;
/** Turns differ by a fifth, so several are needed per round. */
const turnsOfRound = 4;
/** Turns until V8 has optimized the hand-written program as it has the host. */
const warmUpTurns = 12;
