/** Catches up through a provider with a cap of 10 blocks in a request for logs, and 25 requests a second. */
import { backfill } from "../../../server/chain/follower/backfill.ts";
import { RangePlanner } from "../../../server/chain/follower/range-planner.ts";
import { openSource } from "../../../server/chain/follower/viem/open-source.ts";
import { emittedTopic, emitterAddress, startEventChain } from "../../support/event-chain.ts";
import { type Fault, type RpcCall, startFaultyNode } from "../../support/faulty-node.ts";
import { localNetwork } from "../../support/local-network.ts";

const blocks = 1_200;
/** Interval of the blocks that have logs. */
const logsEvery = 20;
const maxBlocks = 10;
const perSecond = 25;

export interface LimitedFigures {
  readonly seconds: number;
  readonly calls: number;
  readonly refused: number;
}

export async function catchUpThroughLimits(): Promise<LimitedFigures> {
  await using chain = await startEventChain();
  for (let block = 0; block < blocks; block += logsEvery) {
    await chain.emit(2);
    await chain.mine(logsEvery);
  }
  await using node = await startFaultyNode(chain.rpcUrl);
  const provider = limitedProvider();
  node.fault = provider.fault;
  const rpcUrls = [{ url: node.rpcUrl, maxPerSecond: perSecond }];
  const source = await openSource(localNetwork([], { rpcUrls }));
  const filter = {
    addresses: new Set([emitterAddress]),
    topics: new Set([emittedTopic]),
    indexInTransaction: true,
  };
  const start = performance.now();
  let logs = 0;
  for await (const range of backfill(source, {
    from: 1,
    to: blocks,
    filter,
    planner: new RangePlanner(10_000),
  }))
    for (const block of range.blocks) logs += block.logs.length;
  const seconds = (performance.now() - start) / 1_000;
  if (logs !== (blocks / logsEvery) * 2) throw new Error(`logs are missing: found ${logs}`);
  return { seconds, ...provider.counts() };
}

/** A token bucket that holds the tokens of one second. Each call takes one. */
function limitedProvider(): {
  readonly fault: Fault;
  readonly counts: () => Omit<LimitedFigures, "seconds">;
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
