import { expect, test } from "vitest";
import { RangePlanner } from "../../../server/chain/follower/range-planner.ts";
import type { Header } from "../../../server/chain/follower/source.ts";
import type { Hex } from "../../../server/chain/rpc/chain.ts";
import { BlockNotFound } from "../../../server/chain/rpc/nodes/faults.ts";
import { type BlocksReader, readPast } from "../../../server/webhooks/past/past-blocks.ts";

const hashOn = (chain: string, number: number): Hex => `0x${chain}${number}`;

/** Reads blocks 1 to 100 of a follower at block 100 of chain `a`, from a node that has this chain. */
async function readFrom(chain: string): Promise<readonly number[]> {
  const headerOf = (number: number): Header =>
    ({
      number,
      hash: hashOn(chain, number),
      parentHash: hashOn(chain, number - 1),
      timestamp: number,
    }) as Header;
  const source = {
    preferredNode: undefined,
    headersByNumber: async (numbers: readonly number[]) => numbers.map(headerOf),
  };
  const reader = {
    chainId: 1,
    source,
    planner: new RangePlanner(100),
    follow: { window: 8, rangeBlocks: 100 },
  } as unknown as BlocksReader;
  const followed = { number: 100, hash: hashOn("a", 100), head: 108 };
  const filter = { addresses: new Set<Hex>(), topics: new Set<Hex>() };
  const ends: number[] = [];
  for await (const { to } of readPast(reader, 1, filter, followed)) ends.push(to);
  return ends;
}

test("blocks below the window are read from a node that has the follower's block", async () => {
  expect((await readFrom("a")).at(-1)).toBe(100);
});

test("blocks below the window are not read from a node that has another block", async () => {
  await expect(readFrom("b")).rejects.toBeInstanceOf(BlockNotFound);
});
