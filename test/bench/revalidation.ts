/** `npm run bench -- revalidation`: CPU time of the host for a 304 of each read, compared with `Ping` by a caller with the same key. */
import { Agent, request } from "node:http";
import { markExpiredOrders } from "../../server/market/records/orders/expired-orders.ts";
import { databaseOf } from "../support/database.ts";
import { makeData, type RunningHost, startHost } from "../support/host.ts";
import { collectionAddress, makeMarket } from "../support/market-data.ts";
import { quantile } from "../support/open-loop.ts";
import type { Benchmark } from "./benchmark.ts";
import { processCpu } from "./process-cpu.ts";

const chainId = 137;
const maxRatio = 1.5;
/** Calls of a batch: CPU time is counted in hundredths of a second. */
const calls = 2_000;
const connections = 8;
const batchesOfRound = 3;
const warmUpBatches = 6;

interface Call {
  readonly name: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The tag to send. A busy host may be uncertain for a moment, and respond with another one. */
  tag?: string;
  /** Number of 200 responses. */
  whole: number;
}

export const benchRevalidation: Benchmark = async ({ rounds }) => {
  if (process.platform !== "linux") {
    console.log("skipped: CPU time needs /proc");
    return [];
  }
  await using data = await makeData();
  const unlimited = "1000000000";
  const limits = ["--rate-limit-project", unlimited, "--rate-limit-address", unlimited];
  await using host = await startHost({ data, args: ["--networks", "polygon", ...limits] });
  await using database = databaseOf(data);
  await makeMarket(database, { chainId, orders: 20_000, collections: 20, collectibles: 2_000 });
  // Marking expired orders changes the state.
  while ((await markExpiredOrders(database)) > 0);
  const [order] = await database.query<{ readonly orderId: string }>(
    `select order_id as "orderId" from market_order join collection on collection.id = collection_id
     where address = $1 order by market_order.id limit 1`,
    [collectionAddress(1)],
  );
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const port = Number(new URL(host.url).port);
  const send = (call: Call): Promise<string> => sendCall(agent, port, call);
  const here = { contractAddress: collectionAddress(1) };
  const reads: readonly (readonly [string, object])[] = [
    ["/polygon/rpc/Marketplace/GetOrders", { input: [{ ...here, ...order }] }],
    ["/polygon/rpc/Marketplace/GetFloorOrder", here],
    ["/polygon/rpc/Marketplace/GetHighestPriceOfferForCollectible", { ...here, tokenId: "2" }],
    ["/polygon/rpc/Marketplace/ListCollectibles", { ...here, side: "listing" }],
    ["/rpc/Metadata/TokenCollectionFilters", { chainId: String(chainId), ...here }],
  ];
  const key = { "X-Access-Key": host.accessKey };
  const ping: Call = {
    name: "Ping",
    method: "POST",
    path: "/polygon/rpc/Marketplace/Ping",
    body: "{}",
    headers: { ...key, "Content-Type": "application/json" },
    whole: 0,
  };
  const revalidations: Call[] = [];
  for (const [path, body] of reads) {
    const call: Call = {
      name: path.split("/").at(-1) ?? "",
      method: "GET",
      path: `${path}?q=${encodeURIComponent(JSON.stringify(body))}`,
      headers: key,
      whole: 0,
    };
    revalidations.push({ ...call, tag: await stateTag(() => send(call)) });
  }
  const costs = await measure(host, [ping, ...revalidations], send, rounds);
  agent.destroy();
  const sent = calls * (warmUpBatches + rounds * batchesOfRound);
  const ofPing = costs.get(ping) ?? [];
  console.log(`Ping: ${micro(ofPing)} µs CPU`);
  return revalidations.flatMap((call) => {
    const ownCosts = costs.get(call) ?? [];
    const ratio = quantile(
      ownCosts.map((cost, batch) => cost / (ofPing[batch] ?? Number.NaN)),
      0.5,
    );
    console.log(
      `304 of ${call.name}: ${micro(ownCosts)} µs CPU, ${ratio.toFixed(2)} times Ping (${call.whole} of ${sent} were 200)`,
    );
    return [
      ...(ratio <= maxRatio ? [] : [`a 304 of ${call.name} takes ${ratio.toFixed(2)} times the CPU of Ping`]),
      ...(call.whole <= sent / 100 ? [] : [`${call.whole} responses of ${call.name} were whole`]),
    ];
  });
};

function micro(costs: readonly number[]): string {
  return quantile(costs, 0.5).toFixed(0);
}

/** The tag of a state, once the host knows it: the same twice, and no hash. */
async function stateTag(read: () => Promise<string>): Promise<string> {
  for (;;) {
    const etag = await read();
    if (/^"[\w-]{12}[.]\d+"$/.test(etag)) return etag;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Microseconds of CPU per call, batch by batch. Batches of all calls alternate. */
async function measure(
  host: RunningHost,
  all: readonly Call[],
  send: (call: Call) => Promise<string>,
  rounds: number,
): Promise<ReadonlyMap<Call, readonly number[]>> {
  const cpuNow = (): number => processCpu(host.process.pid)?.ms ?? Number.NaN;
  const costs = new Map<Call, number[]>(all.map((call) => [call, []]));
  for (let batch = -warmUpBatches; batch < rounds * batchesOfRound; batch++) {
    for (const call of batch % 2 === 0 ? all : all.toReversed()) {
      const before = cpuNow();
      await Promise.all(
        Array.from({ length: connections }, async () => {
          for (let sent = 0; sent < calls / connections; sent++) await send(call);
        }),
      );
      if (batch >= 0) costs.get(call)?.push(((cpuNow() - before) / calls) * 1_000);
    }
  }
  return costs;
}

/** Returns the tag of the response. */
function sendCall(agent: Agent, port: number, call: Call): Promise<string> {
  const { method, path, body, tag } = call;
  const headers = tag === undefined ? call.headers : { ...call.headers, "If-None-Match": tag };
  return new Promise((resolve, reject) => {
    const sent = request({ agent, port, host: "127.0.0.1", method, path, headers }, (response) => {
      const { statusCode = 0, headers: answered } = response;
      const { etag = "" } = answered;
      if (statusCode !== 200 && statusCode !== 304)
        reject(new Error(`${call.name}: expected 200 or 304, found ${statusCode}`));
      if (tag !== undefined && statusCode === 200) {
        call.whole++;
        call.tag = etag;
      }
      response.resume().on("end", () => resolve(etag));
    });
    sent.on("error", reject).end(body);
  });
}
