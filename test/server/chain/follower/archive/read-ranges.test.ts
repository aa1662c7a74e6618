import { describe, expect, test } from "vitest";
import type { LogArchive } from "../../../../../server/chain/follower/archive/archive.ts";
import type { ChunkContent } from "../../../../../server/chain/follower/archive/chunk.ts";
import { readRanges } from "../../../../../server/chain/follower/archive/read-ranges.ts";
import type { ChainBlock, ChainLog } from "../../../../../server/chain/follower/derive/deriver.ts";
import { RangePlanner } from "../../../../../server/chain/follower/range-planner.ts";
import type { OpenSource } from "../../../../../server/chain/follower/viem/open-source.ts";
import type { Hex } from "../../../../../server/chain/rpc/chain.ts";

const hashOf = (number: number): Hex => `0x${number.toString(16).padStart(64, "0")}`;

interface Given {
  readonly from: number;
  readonly to: number;
  /** Logs of its first block. */
  readonly logs?: number;
  /** Default: the block below is the one of the chain. */
  readonly parentHash?: Hex;
  /** The chunk is gone when it is read. */
  readonly isGone?: boolean;
}

/** The chunk lists every block. */
function contentOf({ from, to, logs = 0, parentHash = hashOf(from - 1) }: Given): ChunkContent {
  const blocks = Array.from({ length: to - from + 1 }, (_, index): ChainBlock => {
    const number = from + index;
    const count = index === 0 ? logs : 0;
    const blockLogs = Array.from({ length: count }, (): ChainLog => ({}) as ChainLog);
    return { number, hash: hashOf(number), parentHash: hashOf(number - 1), timestamp: 0, logs: blockLogs };
  });
  return { from, to: { number: to, hash: hashOf(to) }, parentHash, blocks };
}

/** The node has blocks without logs. */
const source = {
  preferredNode: 0,
  logsOfRange: async () => ({ logs: [], node: 0 }),
  headersByNumber: async (numbers: readonly number[]) =>
    numbers.map((number) => ({ number, hash: hashOf(number), parentHash: hashOf(number - 1), timestamp: 0 })),
} as unknown as OpenSource;

/** Returns the ranges, such as `1-20` of chunks, or `21-30 node`. */
async function rangesOf(chunks: readonly Given[], to: number, from = 1): Promise<readonly string[]> {
  const archive: Pick<LogArchive, "list" | "read"> = {
    list: async () =>
      chunks.map((chunk, index) => ({
        from: chunk.from,
        to: chunk.to,
        id: `${index}`,
        coverageId: "1",
        bytes: 1,
      })),
    read: async ({ id }) => {
      const chunk = chunks[Number(id)];
      return chunk === undefined || chunk.isGone === true ? undefined : contentOf(chunk);
    },
  };
  const filter = { addresses: new Set([hashOf(1)]) };
  const ranges = readRanges(source, archive as LogArchive, {
    from,
    to,
    wanted: filter,
    filter,
    planner: new RangePlanner(1_000),
  });
  const shown: string[] = [];
  let next = from;
  for await (const range of ranges) {
    const numbers = range.blocks.map(({ number }) => number);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    shown.push(`${next}-${range.to.number}${range.chunk === undefined ? " node" : ""}`);
    expect(range.from).toBe(next);
    next = range.to.number + 1;
  }
  return shown;
}

describe("chunks are read", () => {
  test.each([
    [7_999, ["1-20"]],
    [8_000, ["1-20"]],
    [8_001, ["1-10", "11-20"]],
  ])("together if they have %i logs", async (logs, ranges) => {
    const chunks = [
      { from: 1, to: 10, logs: 1_000 },
      { from: 11, to: 20, logs: logs - 1_000 },
    ];
    expect(await rangesOf(chunks, 20)).toEqual(ranges);
  });

  test.each([
    [9_999, ["1-9999"]],
    [10_000, ["1-10000"]],
    [10_001, ["1-10", "11-10001"]],
  ])("together if they list %i blocks", async (blocks, ranges) => {
    const chunks = [
      { from: 1, to: 10 },
      { from: 11, to: blocks },
    ];
    expect(await rangesOf(chunks, blocks)).toEqual(ranges);
  });

  test.each([
    [15, ["1-15"]],
    [16, ["1-16"]],
    [17, ["1-16", "17-17"]],
  ])("together if they are %i", async (count, ranges) => {
    const chunks = Array.from({ length: count }, (_, index) => ({ from: index + 1, to: index + 1 }));
    expect(await rangesOf(chunks, count)).toEqual(ranges);
  });

  test.each<[string, readonly Given[], number, readonly string[]]>([
    [
      "one by one if each has more than the limit",
      [
        { from: 1, to: 5, logs: 9_000 },
        { from: 6, to: 9, logs: 9_000 },
      ],
      9,
      ["1-5", "6-9"],
    ],
    [
      "apart if they do not connect",
      [
        { from: 1, to: 5 },
        { from: 6, to: 9, parentHash: hashOf(77) },
      ],
      9,
      ["1-5", "6-9"],
    ],
    [
      "apart if a gap is between them",
      [
        { from: 1, to: 5 },
        { from: 8, to: 9 },
      ],
      12,
      ["1-5", "6-7 node", "8-9", "10-12 node"],
    ],
    [
      "apart from one that is gone",
      [
        { from: 1, to: 5 },
        { from: 6, to: 9, isGone: true },
        { from: 10, to: 12 },
      ],
      12,
      ["1-5", "6-9 node", "10-12"],
    ],
  ])("%s", async (_, chunks, to, ranges) => {
    expect(await rangesOf(chunks, to)).toEqual(ranges);
  });

  test("together with one in which the range starts", async () => {
    const chunks = [
      { from: 1, to: 10 },
      { from: 11, to: 20 },
    ];
    expect(await rangesOf(chunks, 20, 4)).toEqual(["4-20"]);
  });
});
