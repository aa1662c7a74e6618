/**
 * `npm run bench -- live --rounds 3`: measures from a block that the node announces by WebSocket to the first bytes of its webhooks, with the
 * built host.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { subscribe } from "../../../server/chain/follower/viem/new-heads.ts";
import { type EventChain, startEventChain, transferEmitter } from "../../support/event-chain.ts";
import { startHost } from "../../support/host.ts";
import { addTransferListener } from "../../support/transfer-listener.ts";
import type { Benchmark } from "../benchmark.ts";
import { type Receivers, startReceivers } from "./receivers.ts";

/** Blocks per round. */
const blocks = 100;
const logsOfBlock = 20;
const everyMs = 200;
/** Limits from the announcement of a block to its first webhook, in milliseconds. */
const bounds = { p50: 15, p99: 100 };

export const benchLive: Benchmark = async ({ rounds }) => {
  await using chain = await startEventChain(31_337, transferEmitter);
  const follow = { wsUrls: [chain.wsUrl] };
  await using host = await startHost({
    env: {
      NETWORKS: "31337",
      RPC_URLS: `31337=${chain.rpcUrl}`,
      NETWORK_DETAILS: JSON.stringify({ "31337": { follow } }),
      LOG_LEVEL: "error",
    },
  });
  await using receivers = await startReceivers("127.0.0.1");
  await addTransferListener(host, `${receivers.urls[0]}/good`);
  await using heads = watchHeads(chain.wsUrl);
  await measure(chain, { receivers, heads, count: 20 });
  const lags: BlockLags[] = [];
  for (let round = 0; round < rounds; round++)
    lags.push(...(await measure(chain, { receivers, heads, count: blocks })));
  const first = sorted(lags.map((lag) => lag.first));
  console.log(`${lags.length} blocks of ${logsOfBlock} logs, ms from the announcement of a block`);
  console.log(`  to its first webhook: ${percentiles(first)}`);
  console.log(`  to its last webhook:  ${percentiles(sorted(lags.map((lag) => lag.last)))}`);
  console.log(
    `  and from evm_mine's response to its first webhook: ${percentiles(sorted(lags.map((lag) => lag.sinceMined)))}`,
  );
  return ([50, 99] as const)
    .filter((percent) => at(first, percent) > bounds[`p${percent}`])
    .map((percent) => `p${percent} is ${at(first, percent).toFixed(1)} ms, limit ${bounds[`p${percent}`]}`);
};

/** Delays of the webhooks of a block, in milliseconds. */
interface BlockLags {
  readonly first: number;
  readonly last: number;
  readonly sinceMined: number;
}

interface Heads extends AsyncDisposable {
  /** When the node announced the block, in milliseconds since 1970. */
  announced(block: number): number | undefined;
}

function watchHeads(wsUrl: string): Heads {
  const announced = new Map<number, number>();
  const stop = new AbortController();
  const watching = subscribe(
    wsUrl,
    ({ number }) => announced.set(number, performance.timeOrigin + performance.now()),
    () => {},
    stop.signal,
  );
  return {
    announced: (block) => announced.get(block),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await watching;
    },
  };
}

async function measure(
  chain: EventChain,
  {
    receivers,
    heads,
    count,
  }: { readonly receivers: Receivers; readonly heads: Heads; readonly count: number },
): Promise<readonly BlockLags[]> {
  const mined: { readonly block: number; readonly at: number }[] = [];
  const from = performance.now();
  for (let turn = 0; turn < count; turn++) {
    await chain.emit(logsOfBlock);
    await sleep(from + turn * everyMs - performance.now());
    await chain.mine();
    const now = performance.timeOrigin + performance.now();
    mined.push({ block: await chain.head(), at: now });
  }
  const arrivals = new Map<number, number>();
  while (arrivals.size < count * logsOfBlock) {
    await sleep(100);
    for (const [sequence, arrival] of (await receivers.arrivals()).toReversed())
      arrivals.set(sequence, arrival);
  }
  const firstSequence = Math.min(...arrivals.keys());
  return mined.map(({ block, at: minedAt }, turn) => {
    const own = Array.from(
      { length: logsOfBlock },
      (_, log) => arrivals.get(firstSequence + turn * logsOfBlock + log) ?? Number.NaN,
    );
    const announcedAt = heads.announced(block) ?? Number.NaN;
    const [first, last] = [Math.min(...own), Math.max(...own)];
    return { first: first - announcedAt, last: last - announcedAt, sinceMined: first - minedAt };
  });
}

function sorted(lags: readonly number[]): readonly number[] {
  return lags.toSorted((a, b) => a - b);
}

function at(lags: readonly number[], percent: number): number {
  return lags[Math.min(lags.length - 1, Math.floor((lags.length * percent) / 100))] ?? Number.NaN;
}

function percentiles(lags: readonly number[]): string {
  return `p50 ${at(lags, 50).toFixed(1)}, p95 ${at(lags, 95).toFixed(1)}, p99 ${at(lags, 99).toFixed(1)}, worst ${at(lags, 100).toFixed(1)}`;
}
