/** `npm run bench -- matching`: one block of 5,000 logs against 10,000 listeners of one network. */

import { loadKeccak } from "../../server/base/keccak.ts";
import type { Hex } from "../../server/chain/rpc/chain.ts";
import { createEventReader, subscriptionOf } from "../../server/webhooks/filters.ts";
import { Matcher } from "../../server/webhooks/matching/matcher.ts";
import { seededRandom } from "../support/random.ts";
import type { BenchmarkOptions } from "./benchmark.ts";

const listeners = 10_000;
const logs = 5_000;
/** Maximum CPU time for the block, in milliseconds. */
const maxMs = 50;

const texts = [
  "Transfer(address indexed from,address indexed to,uint256 value)",
  "Transfer(address indexed from,address indexed to,uint256 indexed tokenId)",
] as const;
const hex = (value: number, bytes: number): Hex => `0x${value.toString(16).padStart(bytes * 2, "0")}`;

/** Half of the listeners share one contract and filter by a wallet each; the others have a contract each. */
export async function benchMatching({ rounds, seed }: BenchmarkOptions): Promise<readonly string[]> {
  const random = seededRandom(seed);
  const read = createEventReader(await loadKeccak());
  const matcher = new Matcher();
  const popular = hex(0xc0ffee, 20);
  for (let id = 0; id < listeners; id++) {
    const isOfPopular = id % 2 === 0;
    const filters = isOfPopular
      ? { contractAddresses: [popular], events: [texts[0]], accounts: [hex(0xa00000 + id, 20)] }
      : { contractAddresses: [hex(0xb00000 + id, 20)], events: [...texts], tokenIDs: [String(id)] };
    matcher.set(
      subscriptionOf(
        { id, destination: "receiver.example", delivery: "head", confirmations: 1, filters },
        read,
      ),
    );
  }
  const topic = read(texts[0]).event.topicHash;
  const block = Array.from({ length: logs }, (_, index) => {
    const wallets = [
      hex(0xa00000 + random.below(listeners), 32),
      hex(0xa00000 + random.below(listeners), 32),
    ];
    return index % 2 === 0
      ? { address: popular, topics: [topic, ...wallets], data: hex(index, 32) }
      : {
          address: hex(0xb00000 + random.below(listeners), 20),
          topics: [topic, ...wallets, hex(index, 32)],
          data: "0x" as Hex,
        };
  });
  const samples: number[] = [];
  let matches = 0;
  for (let round = 0; round < rounds; round++) {
    matches = 0;
    const before = process.cpuUsage();
    for (const log of block) matches += matcher.match(log).length;
    const { user, system } = process.cpuUsage(before);
    samples.push((user + system) / 1_000);
  }
  const median = samples.toSorted((a, b) => a - b)[samples.length >> 1] ?? Number.NaN;
  console.log(
    `${logs} logs against ${listeners} listeners: ${matches} matches, ${median.toFixed(1)} ms CPU (median)`,
  );
  return median > maxMs ? [`matching took ${median.toFixed(1)} ms, limit ${maxMs}`] : [];
}
