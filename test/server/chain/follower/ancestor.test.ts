import { expect, test } from "vitest";
import { findLostBlocks, hashesOf } from "../../../../server/chain/follower/branch.ts";
import type { BlockId } from "../../../../server/chain/follower/derive/blocks.ts";
import type { Header } from "../../../../server/chain/follower/source.ts";

const blockOf = (way: string, number: number): BlockId => ({
  number,
  hash: `0x${Buffer.from(`${way}${number}`).toString("hex").padStart(64, "0")}`,
});

/** The stored blocks are those of the numbers `stored`. The chain differs from them above block `fork`. */
async function lostAfter(
  fork: number,
  {
    stored,
    head = 20_001,
    firstBlock = 0,
  }: { stored: readonly number[]; head?: number; firstBlock?: number },
): Promise<{ readonly ancestor: number | undefined; readonly lost: readonly number[] }> {
  const source = {
    headersByNumber: async (numbers: readonly number[]) => {
      if (numbers.some((number) => number > head)) throw new Error("the node has no such block");
      return numbers.map((number) => blockOf(number > fork ? "new" : "old", number) as Header);
    },
  };
  const blocks = stored.map((number) => blockOf("old", number)).toSorted((a, b) => b.number - a.number);
  const { ancestor, lost } = await findLostBlocks(
    source,
    head,
    { number: 20_000, firstBlock },
    async (from, below) => blocks.filter(({ number }) => number >= from && number < below),
  );
  return { ancestor: ancestor?.number, lost: lost.map(({ number }) => number) };
}

const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

test.each([0, 1, 255, 256, 257, 500, 501, 768, 19_999])(
  "a reorganization of depth %i is found to its last block",
  async (depth) => {
    const { ancestor, lost } = await lostAfter(20_000 - depth, { stored: range(0, 20_000) });
    expect(ancestor).toBe(20_000 - depth);
    expect(lost).toEqual(range(20_001 - depth, 20_000).toReversed());
  },
);

test("blocks between the stored ones do not matter", async () => {
  const stored = [10, 11, 9_000, 19_000, 20_000];
  expect(await lostAfter(15_000, { stored })).toEqual({ ancestor: 9_000, lost: [20_000, 19_000] });
  expect(await lostAfter(10, { stored })).toEqual({ ancestor: 10, lost: [20_000, 19_000, 9_000, 11] });
});

test("if the chain is shorter, the blocks above its head are lost", async () => {
  expect(await lostAfter(5, { stored: [4, 6, 8], head: 7 })).toEqual({ ancestor: 4, lost: [8, 6] });
});

test("without a common block there is no ancestor, and nothing below the first block is compared", async () => {
  expect(await lostAfter(5, { stored: [4, 6, 8], firstBlock: 6 })).toEqual({
    ancestor: undefined,
    lost: [8, 6],
  });
});

test("each step down reads twice as many stored blocks as the one before, from 256 on", async () => {
  const steps: number[] = [];
  const source = { headersByNumber: async () => [] };
  await findLostBlocks(source, 20_000, { number: 20_000, firstBlock: 18_001 }, async (from, below) => {
    steps.push(below - from);
    return [];
  });
  // Not below the first block.
  expect(steps).toEqual([256, 512, 1_024, 208]);
});

test.each([
  [499, [499]],
  [500, [500]],
  [501, [500, 1]],
  [1_001, [500, 500, 1]],
])("the headers of %i blocks are requested in batches of at most 500", async (count, batches) => {
  const requested: number[] = [];
  const source = {
    headersByNumber: async (numbers: readonly number[]) => {
      requested.push(numbers.length);
      return numbers.map((number) => blockOf("new", number) as Header);
    },
  };
  const numbers = range(1, count);
  expect([...(await hashesOf(source, numbers)).keys()]).toEqual(numbers);
  expect(requested).toEqual(batches);
});

test.each([
  [256 + 255, [256, 255]],
  [256 + 499, [256, 499]],
  [256 + 500, [256, 500]],
  [256 + 501, [256, 500, 1]],
])("%i lost blocks are compared in batches of at most 500", async (depth, batches) => {
  const requested: number[] = [];
  const source = {
    headersByNumber: async (numbers: readonly number[]) => {
      requested.push(numbers.length);
      return numbers.map((number) => blockOf("new", number) as Header);
    },
  };
  const lowest = 20_001 - depth;
  await findLostBlocks(source, 20_000, { number: 20_000, firstBlock: lowest }, async (from, below) =>
    range(from, below - 1)
      .map((number) => blockOf("old", number))
      .toReversed(),
  );
  expect(requested).toEqual(batches);
});
