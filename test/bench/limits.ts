/**
 * `npm run bench -- limits`: catches up with 1,200 blocks through providers with a cap of 10 blocks in a request for logs, a token bucket of
 * 25 calls a second, and refusals at random; with and without the setting `maxPerSecond`.
 */
import type { Database } from "../../server/base/storage/database.ts";
import { openDatabase } from "../../server/base/storage/open-database.ts";
import { type EventChain, startEventChain, transferEmitter } from "../support/event-chain.ts";
import { type Fault, type RpcCall, startFaultyNode } from "../support/faulty-node.ts";
import { localNetwork } from "../support/local-network.ts";
import { seededRandom } from "../support/random.ts";
import { emptyDatabase } from "../support/server.ts";
import type { Benchmark } from "./benchmark.ts";
import { follow } from "./indexer/follow.ts";
import { openNotificationDeriver, prepareNotifications } from "./indexer/notifications.ts";

const blocks = 1_200;
/** Interval of the blocks that have logs. */
const logsEvery = 20;
const maxBlocks = 10;
const perSecond = 25;
/** Blocks above the range, so that the whole range is too old for reorganizations. */
const window = 64;

interface LimitedFigures {
  readonly seconds: number;
  readonly calls: number;
  /** Calls for which the bucket had no token. */
  readonly refused: number;
  /** How often the follower gave up and started again. */
  readonly failures: number;
}

interface Provider {
  /** Whether the provider has the token bucket. */
  readonly isLimited: boolean;
  /** Percentage of HTTP requests that fail with 429, whatever the bucket holds. */
  readonly randomlyRefused: number;
}

const providers: Readonly<Record<string, Provider>> = {
  "25 calls a second": { isLimited: true, randomlyRefused: 0 },
  "10 % refused at random": { isLimited: false, randomlyRefused: 10 },
  both: { isLimited: true, randomlyRefused: 10 },
};

/** Required of each row. */
const maxSeconds = 15;
/** Required of the calls that the provider refuses for their rate, if the rate is configured. Otherwise, a refusal only makes the host pause. */
const maxRefusedShare = 0.03;

export const benchLimits: Benchmark = async ({ seed }) => {
  await using server = await emptyDatabase();
  await using database = openDatabase(
    { connectionString: server.url },
    { connections: 8, statementTimeoutMs: 60_000, namedStatements: true },
  );
  await using chain = await startEventChain(31_337, transferEmitter);
  for (let block = 0; block < blocks; block += logsEvery) {
    await chain.emit(2);
    await chain.mine(logsEvery);
  }
  await chain.mine(window);
  const broken: string[] = [];
  for (const [name, provider] of Object.entries(providers))
    for (const isConfigured of [true, false]) {
      const figures = await catchUp(database, chain, { ...provider, isConfigured }, seed);
      const { seconds, calls, refused, failures } = figures;
      const share = refused / calls;
      const text = `${name.padEnd(23)} ${isConfigured ? "maxPerSecond: 25" : "no maxPerSecond "} ${seconds.toFixed(1).padStart(5)} s, ${calls} calls, ${refused} of them over the rate (${(share * 100).toFixed(1)} %), ${failures} failures of the follower`;
      console.log(text);
      if (seconds > maxSeconds || (isConfigured && share > maxRefusedShare))
        broken.push(`${text}; limits ${maxSeconds} s and ${maxRefusedShare * 100} %`);
    }
  return broken;
};

async function catchUp(
  database: Database,
  chain: EventChain,
  { isLimited, isConfigured, randomlyRefused }: Provider & { readonly isConfigured: boolean },
  seed: number,
): Promise<LimitedFigures> {
  await prepareNotifications(database);
  await using node = await startFaultyNode(chain.rpcUrl);
  const provider = limitedProvider(isLimited);
  const random = seededRandom(seed);
  node.fault = (exchange) => {
    if (!random.chance(randomlyRefused)) return provider.fault(exchange);
    exchange.res.writeHead(429).end();
  };
  const network = localNetwork([], {
    rpcUrls: [{ url: node.rpcUrl, ...(isConfigured ? { maxPerSecond: perSecond } : {}) }],
    follow: { start: 0, window, wsUrls: [chain.wsUrl] },
  });
  const deriver = openNotificationDeriver(database, chain.rpcUrl);
  let failures = 0;
  const start = performance.now();
  await using running = follow(database, { network, derivers: [deriver], on: { failed: () => failures++ } });
  await running.reached(blocks);
  const seconds = (performance.now() - start) / 1_000;
  const rows = await database.query("select from webhook_notification");
  if (rows.length !== (blocks / logsEvery) * 2) throw new Error(`logs are missing: found ${rows.length}`);
  return { seconds, failures, ...provider.counts() };
}

/** A token bucket that holds the tokens of one second. Each call takes one. A range that is too large is not a refusal for the rate. */
function limitedProvider(isLimited: boolean): {
  readonly fault: Fault;
  readonly counts: () => Pick<LimitedFigures, "calls" | "refused">;
} {
  let [tokens, filledAt, calls, refused] = [perSecond, performance.now(), 0, 0];
  const takes = (count: number): boolean => {
    const now = performance.now();
    tokens = Math.min(perSecond, tokens + ((now - filledAt) / 1_000) * perSecond);
    filledAt = now;
    if (tokens < count) return false;
    tokens -= count;
    return true;
  };
  return {
    counts: () => ({ calls, refused }),
    fault: async ({ calls: given, forward, send }) => {
      calls += given.length;
      if (isLimited && !takes(given.length)) {
        refused += given.length;
        send(given.map((call) => errorTo(call, -32_029, "too many requests")));
        return;
      }
      const tooLarge = given.filter(isTooLarge);
      const rest = given.filter((call) => !isTooLarge(call));
      const errors = tooLarge.map((call) => errorTo(call, -32_602, "block range is too wide"));
      send([...errors, ...(rest.length === 0 ? [] : await forward(rest))]);
    },
  };
}

function errorTo({ id }: RpcCall, code: number, message: string): object {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

function isTooLarge({ method, params }: RpcCall): boolean {
  const { fromBlock, toBlock } = (params[0] ?? {}) as Readonly<Record<string, string>>;
  return method === "eth_getLogs" && Number(toBlock) - Number(fromBlock) >= maxBlocks;
}
