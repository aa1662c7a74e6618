/** Which blocks of a range the archive has. */
import type { Queries } from "../../../base/storage/database.ts";
import type { BlockRange } from "../block-range.ts";
import type { LogFilter } from "../derive/deriver.ts";
import { covers } from "./coverage.ts";
import { type ChunkRow, listChunks, readCoverages } from "./rows.ts";

/** Returns the chunks with all logs that pass the filter, and that end within the range. Lowest first. */
export async function usableChunks(
  queries: Queries,
  chainId: number,
  range: BlockRange,
  filter: LogFilter,
): Promise<readonly ChunkRow[]> {
  const coverages = await readCoverages(queries, chainId);
  const coverageIds = [...coverages].filter(([, coverage]) => covers(coverage, filter)).map(([id]) => id);
  return coverageIds.length === 0 ? [] : listChunks(queries, chainId, { ...range, coverageIds });
}

/** Returns the number of blocks in the range that need no request. */
export async function countArchived(
  queries: Queries,
  chainId: number,
  range: BlockRange,
  filter: LogFilter,
): Promise<number> {
  const parts = planParts(await usableChunks(queries, chainId, range, filter), range);
  return parts.reduce((sum, { from, to, chunk }) => sum + (chunk === undefined ? 0 : to - from + 1), 0);
}

/** Consecutive blocks: those of a chunk from `from` on, or blocks that no chunk has. */
export interface Part {
  readonly from: number;
  readonly to: number;
  readonly chunk: ChunkRow | undefined;
}

/** Divides a range into the parts of chunks and the gaps between them. `chunks` are sorted, lowest first. */
export function planParts(chunks: readonly ChunkRow[], { from, to }: BlockRange): readonly Part[] {
  const parts: Part[] = [];
  let next = from;
  for (const chunk of chunks) {
    if (chunk.to < next || chunk.to > to) continue;
    if (chunk.from > next) parts.push({ from: next, to: chunk.from - 1, chunk: undefined });
    parts.push({ from: Math.max(next, chunk.from), to: chunk.to, chunk });
    next = chunk.to + 1;
  }
  if (next <= to) parts.push({ from: next, to, chunk: undefined });
  return parts;
}
