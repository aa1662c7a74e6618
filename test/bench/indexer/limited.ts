/** Catches up through a provider with a cap of 10 blocks in a request for logs, and a token bucket of 25 calls a second. */
import type { Database } from "../../../server/base/storage/database.ts";
import { type EventChain, startEventChain, transferEmitter } from "../../support/event-chain.ts";
import { type Fault, type RpcCall, startFaultyNode } from "../../support/faulty-node.ts";
import { localNetwork } from "../../support/local-network.ts";
import { seededRandom } from "../../support/random.ts";
import { follow } from "./follow.ts";
import { openNotificationDeriver, prepareNotifications } from "./notifications.ts";

const blocks = 1_200;
/** Interval of the blocks that have logs. */
const logsEvery = 20;
const maxBlocks = 10;
const perSecond = 25;
/** Blocks above the range, so that the whole range is too old for reorganisations. */
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
  /** Whether the operator has configured the rate. */
  readonly isConfigured: boolean;
  /** Percentage of HTTP requests that fail with 429, whatever the bucket holds. */
  readonly randomlyRefused: number;
}

const providers: Readonly<Record<string, Provider>> = {
  "whose rate is configured": { isConfigured: true, randomlyRefused: 0 },
  "whose rate is not configured": { isConfigured: false, randomlyRefused: 0 },
  "that also refuses 10 % at random": { isConfigured: true, randomlyRefused: 10 },
};

/** Required of each provider. Without the configured rate, the host learns it only from refused calls. */
const maxSeconds = 15;
const maxRefusedShare = 0.03;

/** Follows the chain and stores notifications. Returns what is over the limit. */
export async function catchUpThroughLimits(database: Database, seed: number): Promise<readonly string[]> {
  await using chain = await startEventChain(31_337, transferEmitter);
  for (let block = 0; block < blocks; block += logsEvery) {
    await chain.emit(2);
    await chain.mine(logsEvery);
  }
  await chain.mine(window);
  const broken: string[] = [];
  for (const [name, provider] of Object.entries(providers)) {
    const { seconds, calls, refused, failures } = await catchUp(database, chain, provider, seed);
    const text = `1,200 blocks through a provider ${name}: ${seconds.toFixed(1)} s, ${calls} calls, ${refused} of them over the rate, ${failures} failures of the follower`;
    console.log(text);
    if (seconds > maxSeconds || (provider.isConfigured && refused > calls * maxRefusedShare))
      broken.push(`${text}; limits ${maxSeconds} s and ${maxRefusedShare * 100} %`);
  }
  return broken;
}

async function catchUp(
  database: Database,
  chain: EventChain,
  { isConfigured, randomlyRefused }: Provider,
  seed: number,
): Promise<LimitedFigures> {
  await prepareNotifications(database);
  await using node = await startFaultyNode(chain.rpcUrl);
  const provider = limitedProvider();
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

/** A token bucket that holds the tokens of one second. Each call takes one. */
function limitedProvider(): {
  readonly fault: Fault;
  readonly counts: () => Pick<LimitedFigures, "calls" | "refused">;
} {
  let [tokens, filledAt, calls, refused] = [perSecond, performance.now(), 0, 0];
  const refuse = (code: number, message: string, isRefused: (call: RpcCall) => boolean): Fault => {
    return async ({ calls: given, forward, send }) => {
      const rejected = new Set(given.filter(isRefused).map(({ id }) => id));
      refused += rejected.size;
      const rest = given.filter(({ id }) => !rejected.has(id));
      const error = { code, message };
      const errors = [...rejected].map((id) => ({ jsonrpc: "2.0", id, error }));
      send([...errors, ...(rest.length === 0 ? [] : await forward(rest))]);
    };
  };
  return {
    counts: () => ({ calls, refused }),
    fault: (exchange) => {
      const now = performance.now();
      tokens = Math.min(perSecond, tokens + ((now - filledAt) / 1_000) * perSecond) - exchange.calls.length;
      filledAt = now;
      calls += exchange.calls.length;
      if (tokens >= 0) return refuse(-32_602, "block range is too wide", isTooLarge)(exchange);
      tokens += exchange.calls.length;
      return refuse(-32_029, "too many requests", () => true)(exchange);
    },
  };
}

function isTooLarge({ method, params }: RpcCall): boolean {
  const { fromBlock, toBlock } = (params[0] ?? {}) as Readonly<Record<string, string>>;
  return method === "eth_getLogs" && Number(toBlock) - Number(fromBlock) >= maxBlocks;
}
