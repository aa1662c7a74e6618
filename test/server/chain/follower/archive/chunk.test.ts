import { describe, expect, test } from "vitest";
import {
  type ChunkContent,
  decodeChunk,
  encodeChunk,
} from "../../../../../server/chain/follower/archive/chunk.ts";
import {
  type ChainBlock,
  type ChainLog,
  passes,
} from "../../../../../server/chain/follower/derive/deriver.ts";
import type { Hex } from "../../../../../server/chain/rpc/chain.ts";
import { type Random, seededRandom } from "../../../../support/random.ts";

function hex(random: Random, bytes: number): Hex {
  return `0x${Array.from({ length: bytes }, () => random.below(256).toString(16).padStart(2, "0")).join("")}`;
}

/** Blocks with logs of a few contracts and events, some of which have no topics. */
function randomContent(random: Random): ChunkContent {
  const addresses = Array.from({ length: 4 }, () => hex(random, 20));
  const events = Array.from({ length: 4 }, () => hex(random, 32));
  const first = random.below(1_000);
  const count = random.below(8);
  const blocks: ChainBlock[] = [];
  for (let number = first; number < first + count; number++) {
    const logs: ChainLog[] = [];
    for (let transactionIndex = 0; transactionIndex < random.below(4); transactionIndex++) {
      const transactionHash = hex(random, 32);
      for (let index = 0; index < random.below(4); index++)
        logs.push({
          address: random.pick(addresses),
          topics: Array.from({ length: random.below(5) }, (_, at) =>
            at === 0 ? random.pick(events) : hex(random, 32),
          ),
          data: hex(random, random.below(70)),
          transactionHash,
          transactionIndex,
          logIndex: logs.length,
          indexInTransaction: random.chance(50) ? index : undefined,
        });
    }
    blocks.push({ number, hash: hex(random, 32), parentHash: hex(random, 32), timestamp: number * 2, logs });
  }
  return {
    from: first,
    to: { number: first + count, hash: hex(random, 32) },
    parentHash: hex(random, 32),
    blocks,
  };
}

const seeds = Array.from({ length: 40 }, (_, index) => index + 1);

describe("a chunk of the archive", () => {
  test.each(seeds)("returns what was stored, and only the logs that pass a filter (seed %i)", (seed) => {
    const content = randomContent(seededRandom(seed));
    const bytes = encodeChunk(137, content);
    expect(decodeChunk(137, bytes, {})).toEqual(content);
    const [log] = content.blocks.flatMap(({ logs }) => logs);
    const addresses = new Set(log === undefined ? [] : [log.address]);
    const topics = new Set(log?.topics.slice(0, 1));
    for (const filter of [{ addresses }, { topics }, { addresses, topics }])
      expect(decodeChunk(137, bytes, filter)).toEqual({
        ...content,
        blocks: content.blocks.map((block) => ({
          ...block,
          logs: block.logs.filter((each) => passes(filter, each)),
        })),
      });
  });

  test("of another chain is rejected", () => {
    const bytes = encodeChunk(137, randomContent(seededRandom(1)));
    expect(() => decodeChunk(1, bytes, {})).toThrow("the chunk belongs to chain 137");
  });
});
