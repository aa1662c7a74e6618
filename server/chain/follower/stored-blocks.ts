import type { Queries } from "../../base/storage/database.ts";
import type { BlockId, Deriver } from "./derive/deriver.ts";
import { readHistory } from "./known-blocks.ts";

export interface StoredBlocksOptions {
  readonly chainId: number;
  /** Blocks that may still leave the chain. */
  readonly recent: Iterable<BlockId>;
  readonly derivers: readonly Deriver[];
}

/** Returns the blocks from `from` up to, but not including, `below` that the follower or a deriver stores, highest first. */
export async function readStoredBlocks(
  queries: Queries,
  { chainId, recent, derivers }: StoredBlocksOptions,
  range: { readonly from: number; readonly below: number },
): Promise<readonly BlockId[]> {
  const inWindow = [...recent].filter(({ number }) => number >= range.from && number < range.below);
  const lists = await Promise.all([
    readHistory(queries, chainId, range),
    ...derivers.map((deriver) => deriver.blocksWithRecords?.(queries, chainId, range) ?? []),
  ]);
  const blocks = new Map([...inWindow, ...lists.flat()].map((block) => [block.hash, block]));
  return [...blocks.values()].toSorted((a, b) => b.number - a.number);
}
