/** Reads the blocks of a listener's past. */

import type { Queries } from "../../base/storage/database.ts";
import { historyBlocks, readRecentBlocks } from "../../chain/follower/checkpoint.ts";
import type { ChainBlock } from "../../chain/follower/derive/blocks.ts";
import type { LogFilter } from "../../chain/follower/derive/log-filter.ts";
import type { RangePlanner } from "../../chain/follower/range-planner.ts";
import { backfill, readHeadBlocks } from "../../chain/follower/read-blocks.ts";
import { BlockNotFound, type BlockRange } from "../../chain/follower/source.ts";
import type { OpenSource } from "../../chain/follower/viem/open-source.ts";
import type { FollowSettings } from "../../chain/networks/follow.ts";
import type { FollowerCheckpoint } from "../past-progress.ts";

export interface BlocksReader {
  readonly chainId: number;
  readonly database: Queries;
  readonly follow: FollowSettings;
  readonly source: OpenSource;
  readonly planner: RangePlanner;
}

export interface PastRange {
  /** The last block of the range. */
  readonly to: number;
  /** Lowest first. Contains every block with logs that pass the filter. */
  readonly blocks: readonly ChainBlock[];
}

/** Blocks of the window that are read together. */
const windowBlocks = 64;

/**
 * Yields the blocks from `next` up to the follower's checkpoint, as far as they can be read now. They are those of the chain of the
 * checkpoint's block: commit them only if the follower still has that block. If there are none, yields an empty range.
 */
export async function* readPast(
  reader: BlocksReader,
  next: number,
  filter: LogFilter,
  checkpoint: FollowerCheckpoint,
): AsyncGenerator<PastRange> {
  if (next > checkpoint.number) yield { to: checkpoint.number, blocks: [] };
  const settled = Math.min(checkpoint.number, checkpoint.head - reader.follow.window);
  if (next <= settled) yield* readSettled(reader, { from: next, to: settled }, filter, checkpoint);
  yield* readWindow(reader, { from: Math.max(next, settled + 1), to: checkpoint.number }, filter);
}

async function* readSettled(
  { source, planner }: BlocksReader,
  range: BlockRange,
  filter: LogFilter,
  { number, hash }: FollowerCheckpoint,
): AsyncGenerator<PastRange> {
  for await (const { to, blocks } of backfill(source, { ...range, filter, planner })) {
    // After a reorganization below the window, nodes may have another chain than the follower.
    if (to.number > number - historyBlocks) {
      const [header] = await source.headersByNumber([number]);
      if (header?.hash !== hash) throw new BlockNotFound("the follower's block has left the chain");
    }
    yield { to: to.number, blocks };
  }
}

/** Blocks that may leave the chain are requested by their hashes, which the follower knows from its first block on. */
async function* readWindow(
  { chainId, database, source, follow }: BlocksReader,
  { from, to }: BlockRange,
  filter: LogFilter,
): AsyncGenerator<PastRange> {
  if (from > to) return;
  const recent = await readRecentBlocks(database, chainId);
  const blocks = recent.filter(({ number }) => number >= from && number <= to).reverse();
  if (blocks[0]?.number !== from || blocks.at(-1)?.number !== to) return;
  for (let start = 0; start < blocks.length; start += windowBlocks) {
    const some = blocks.slice(start, start + windowBlocks);
    const headers = await Promise.all(some.map(({ hash }) => source.headerByHash(hash)));
    const read = await readHeadBlocks(source, headers, { filter, checkBloom: follow.checkBloom });
    yield { to: headers.at(-1)?.number ?? to, blocks: read };
  }
}
