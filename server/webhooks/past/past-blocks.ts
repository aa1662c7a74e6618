/** Reads the blocks of a listener's past: from the archive where it has them, and from the nodes otherwise. */

import type { Queries } from "../../base/storage/database.ts";
import type { LogArchive } from "../../chain/follower/archive/archive.ts";
import { planParts } from "../../chain/follower/archive/plan.ts";
import { readRanges } from "../../chain/follower/archive/read-ranges.ts";
import { historyBlocks, readRecentBlocks } from "../../chain/follower/checkpoint.ts";
import type { BlockRef, ChainBlock, LogFilter } from "../../chain/follower/derive/deriver.ts";
import type { RangePlanner } from "../../chain/follower/range-planner.ts";
import { readHeadBlocks } from "../../chain/follower/read-blocks.ts";
import { BlockNotFound, type BlockRange } from "../../chain/follower/source.ts";
import type { OpenSource } from "../../chain/follower/viem/open-source.ts";
import type { FollowSettings } from "../../chain/networks/follow.ts";
import type { FollowerCheckpoint } from "../past-progress.ts";

export interface BlocksReader {
  readonly chainId: number;
  readonly database: Queries;
  readonly follow: FollowSettings;
  readonly source: OpenSource;
  readonly archive: LogArchive | undefined;
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
  { source, archive, planner, follow }: BlocksReader,
  range: BlockRange,
  filter: LogFilter,
  { number, hash }: FollowerCheckpoint,
): AsyncGenerator<PastRange> {
  const options = { ...range, wanted: filter, filter, planner, ...follow };
  for await (const { to, blocks, chunk } of readRanges(source, archive, options)) {
    // After a reorganisation below the window, nodes may have another chain than the follower.
    if (chunk === undefined && to.number > number - historyBlocks) {
      const [header] = await source.headersByNumber([number]);
      if (header?.hash !== hash) throw new BlockNotFound("the follower's block has left the chain");
    }
    yield { to: to.number, blocks };
  }
}

/** Blocks that may leave the chain are requested by their hashes, which the follower knows from its first block on. */
async function* readWindow(
  reader: BlocksReader,
  { from, to }: BlockRange,
  filter: LogFilter,
): AsyncGenerator<PastRange> {
  if (from > to) return;
  const recent = await readRecentBlocks(reader.database, reader.chainId);
  const blocks = recent.filter(({ number }) => number >= from && number <= to).reverse();
  if (blocks[0]?.number !== from || blocks.at(-1)?.number !== to) return;
  for (let start = 0; start < blocks.length; start += windowBlocks)
    yield* readByHash(reader, blocks.slice(start, start + windowBlocks), filter);
}

async function* readByHash(
  { source, archive, follow }: BlocksReader,
  refs: readonly BlockRef[],
  filter: LogFilter,
): AsyncGenerator<PastRange> {
  const [first, last] = [refs[0], refs.at(-1)];
  if (first === undefined || last === undefined) return;
  const range = { from: first.number, to: last.number };
  for (const { from, to, chunk } of planParts((await archive?.list(range, filter)) ?? [], range)) {
    const archived = chunk && (await archive?.read(chunk, filter));
    if (archived !== undefined) {
      yield { to, blocks: archived.blocks.filter(({ number }) => number >= from) };
      continue;
    }
    const wanted = refs.filter(({ number }) => number >= from && number <= to);
    const headers = await Promise.all(wanted.map(({ hash }) => source.headerByHash(hash)));
    yield { to, blocks: await readHeadBlocks(source, headers, { filter, checkBloom: follow.checkBloom }) };
  }
}
