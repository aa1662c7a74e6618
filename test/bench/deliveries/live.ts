/**
 * `npm run bench -- live --rounds 3`: measures from a mined block to the first bytes of its webhook, with the built host and a node that
 * announces blocks by WebSocket.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type EventChain, startEventChain, transferEmitter } from "../../support/event-chain.ts";
import { startHost } from "../../support/host.ts";
import { addTransferListener } from "../../support/transfer-listener.ts";
import type { Benchmark } from "../benchmark.ts";
import { type Receivers, startReceivers } from "./receivers.ts";

/** Blocks per round. */
const blocks = 100;
const logsOfBlock = 5;
const everyMs = 150;
/** Limits in milliseconds. */
const bounds = { p50: 50, p95: 120 };

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
  await measure(chain, receivers, 10);
  const lags: number[] = [];
  for (let round = 0; round < rounds; round++) lags.push(...(await measure(chain, receivers, blocks)));
  const sorted = lags.toSorted((a, b) => a - b);
  const at = (percent: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
  console.log(
    `${lags.length} blocks, from the node's response to evm_mine to the webhook's first bytes, ms: p50 ${at(50).toFixed(1)}, p95 ${at(95).toFixed(1)}, worst ${at(100).toFixed(1)}`,
  );
  return ([50, 95] as const)
    .filter((percent) => at(percent) > bounds[`p${percent}`])
    .map((percent) => `p${percent} is ${at(percent).toFixed(1)} ms, limit ${bounds[`p${percent}`]}`);
};

/** Returns the delay of each block, in milliseconds. */
async function measure(chain: EventChain, receivers: Receivers, count: number): Promise<readonly number[]> {
  const mined: number[] = [];
  const from = performance.now();
  for (let block = 0; block < count; block++) {
    await chain.emit(logsOfBlock);
    await sleep(from + block * everyMs - performance.now());
    await chain.mine();
    mined.push(performance.timeOrigin + performance.now());
  }
  const arrivals = new Map<number, number>();
  while (arrivals.size < count * logsOfBlock) {
    await sleep(100);
    for (const [sequence, at] of (await receivers.arrivals()).toReversed()) arrivals.set(sequence, at);
  }
  const first = Math.min(...arrivals.keys());
  return mined.map((at, block) => {
    const own = Array.from({ length: logsOfBlock }, (_, log) =>
      arrivals.get(first + block * logsOfBlock + log),
    );
    return Math.min(...own.map((arrival) => arrival ?? Number.NaN)) - at;
  });
}
