import { type Abi, type Address, createPublicClient, http } from "viem";
import { Chains } from "../../../server/chain/rpc/chains.ts";
import {
  describeMissingPackages,
  type SandboxChain,
  startSandboxChain,
} from "../../../server/chain/sandbox/chain.ts";
import token from "../../../server/chain/sandbox/contracts/SandboxToken.json" with { type: "json" };
import { addPair, addPool, fullRange, sortedByAddress } from "../../../server/chain/sandbox/exchanges.ts";
import { Swaps } from "../../../server/wallets/swaps/swaps.ts";
import { type MadePool, searchExhaustively } from "../../server/wallets/swaps/exhaustive-search.ts";
import { localNetwork } from "../../support/local-network.ts";
import type { BenchmarkOptions } from "../benchmark.ts";

/** The price of gas, which is kept for a while; all pools; the approval. */
const maxRoundTrips = 3;
const maxP95Ms = 60;

/** Quotes with approval over 30 pools between five tokens on a local chain, compared with querying each path through viem. */
export async function benchQuotes({ rounds }: BenchmarkOptions): Promise<readonly string[]> {
  const missing = describeMissingPackages();
  if (missing !== undefined) {
    console.log(`quotes are skipped: ${missing}`);
    return [];
  }
  await using chain = await startSandboxChain();
  const { tokens, pools } = await makePools(chain);
  const [sell, buy, ...connectors] = tokens as [Address, Address, ...Address[]];
  const { rpcUrl, exchanges, accounts } = chain;
  const network = localNetwork(rpcUrl, {
    connectors,
    exchanges: [
      { kind: "v2", router: exchanges.v2Router },
      { kind: "swapRouter02", router: exchanges.swapRouter02 },
    ],
  });
  const swaps = new Swaps(new Chains(), { deadlineSeconds: 1_200 });
  const user = accounts[5] as Address;
  // Too small for a split, whose search takes two to four times as long.
  const ask = { sell, buy, amount: 10n ** 17n, slippagePercentage: 1, user, includeApprove: true };
  const client = createPublicClient({ transport: http(rpcUrl, { batch: true }) });
  const trips = countRequests();
  const ours: number[] = [];
  const theirs: number[] = [];
  let peakTrips = 0;
  let price: bigint | undefined;
  for (let round = -3; round < rounds * 10; round++) {
    trips.reset();
    const time = await timeOf(async () => {
      price = (await swaps.quote(network, ask))?.price;
    });
    if (round >= 0) ours.push(time);
    peakTrips = Math.max(peakTrips, trips.count());
    if (round % 5 !== 0) continue;
    let best: bigint | undefined;
    theirs.push(
      await timeOf(async () => {
        best = await searchExhaustively(client, exchanges, pools, { ...ask, connectors });
      }),
    );
    if (best !== price) throw new Error(`different prices: ${price} and ${best}`);
  }
  trips.restore();
  const line = (name: string, times: readonly number[]): void =>
    console.log(`${name.padEnd(34)} p50 ${at(times, 0.5)} ms   p95 ${at(times, 0.95)} ms`);
  line(`quote over ${pools.length} pools, ${peakTrips} round trips`, ours);
  line("every path by viem, in batches", theirs);
  const broken =
    peakTrips > maxRoundTrips ? [`a quote takes ${peakTrips} round trips, more than ${maxRoundTrips}`] : [];
  const p95 = Number(at(ours, 0.95));
  return p95 > maxP95Ms ? [...broken, `a quote's p95 is ${p95} ms, over ${maxP95Ms}`] : broken;
}

/** Creates, for each pair of five tokens, a version 2 pair and pools of two fees. */
async function makePools({ batch, exchanges }: SandboxChain): Promise<{
  readonly tokens: readonly Address[];
  readonly pools: readonly MadePool[];
}> {
  const abi = token.abi as Abi;
  const tokens = Array.from({ length: 5 }, () => {
    const to = batch.deploy(token as never, ["Bench", "BENCH", 18]);
    batch.call({ to, abi, functionName: "mint", args: [batch.account, 10n ** 30n] });
    return to;
  });
  const pools = tokens.flatMap((one, index) =>
    tokens.slice(index + 1).flatMap((two, other): MadePool[] => {
      const amount = 10n ** 20n * BigInt(1 + index + other);
      const [a, b] = sortedByAddress({ token: one, amount }, { token: two, amount: amount + 10n ** 18n });
      addPair(batch, exchanges, a, b);
      for (const fee of [500, 3_000])
        addPool(batch, exchanges, { a, b, fee, ranges: [fullRange(fee, a.amount, b.amount)] });
      return [{ tokens: [one, two] }, { tokens: [one, two], fee: 500 }, { tokens: [one, two], fee: 3_000 }];
    }),
  );
  await batch.mine();
  return { tokens, pools };
}

/** Counts the HTTP requests of this process. */
function countRequests(): {
  readonly count: () => number;
  readonly reset: () => void;
  readonly restore: () => void;
} {
  const original = globalThis.fetch;
  let requests = 0;
  globalThis.fetch = (...args) => {
    requests++;
    return original(...args);
  };
  return {
    count: () => requests,
    reset: () => {
      requests = 0;
    },
    restore: () => {
      globalThis.fetch = original;
    },
  };
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function at(times: readonly number[], part: number): string {
  return ([...times].sort((a, b) => a - b)[Math.floor(times.length * part)] ?? Number.NaN).toFixed(1);
}
