import { describe, expect, test } from "vitest";
import { findBranch, ReorganizationTooDeep } from "../../../../server/chain/follower/branch.ts";
import type { Header } from "../../../../server/chain/follower/source.ts";
import type { Hex } from "../../../../server/chain/rpc/chain.ts";

const hashOf = (way: string, number: number): Hex =>
  `0x${Buffer.from(`${way}${number}`).toString("hex").padStart(64, "0")}`;

/** A chain that forks from `old` after the block `fork`. */
function sourceAfter(fork: number): (number: number) => Header {
  const wayOf = (number: number): string => (number > fork ? "new" : "old");
  return (number) =>
    ({
      number,
      hash: hashOf(wayOf(number), number),
      parentHash: hashOf(wayOf(number - 1), number - 1),
    }) as Header;
}

/** The checkpoint is block 20, and the blocks from `lowest` on are known. */
async function ancestorOf(fork: number, lowest: number, firstBlock = 0): Promise<number> {
  const header = sourceAfter(fork);
  const byHash = new Map(Array.from({ length: 30 }, (_, number) => [header(number).hash, header(number)]));
  const source = {
    headerByHash: async (hash: Hex) => byHash.get(hash) as Header,
    headersByNumber: async (numbers: readonly number[]) => numbers.map(header),
  };
  const kept = new Map(
    Array.from({ length: 20 - lowest + 1 }, (_, index) => [lowest + index, hashOf("old", lowest + index)]),
  );
  const place = { firstBlock, number: 20, hash: hashOf("old", 20) };
  const { ancestor, headers } = await findBranch(source, header(21), place, kept);
  expect(headers.map(({ number }) => number)).toEqual(
    Array.from({ length: 21 - ancestor }, (_, index) => ancestor + 1 + index),
  );
  return ancestor;
}

describe("a reorganization", () => {
  test("of no blocks continues from the checkpoint", async () => {
    expect(await ancestorOf(20, 15)).toBe(20);
  });

  test.each([17, 16, 15])("down to block %i is found, with 15 as the lowest known block", async (fork) => {
    expect(await ancestorOf(fork, 15)).toBe(fork);
  });

  test.each([14, 13])("down to block %i, below the lowest known block, is too deep", async (fork) => {
    await expect(ancestorOf(fork, 15)).rejects.toThrow(ReorganizationTooDeep);
  });

  test.each([
    [15, 15],
    [14, 14],
    [13, 14],
  ])("down to block %i ends at %i, with 15 as the first followed block", async (fork, ancestor) => {
    expect(await ancestorOf(fork, 15, 15)).toBe(ancestor);
  });
});
