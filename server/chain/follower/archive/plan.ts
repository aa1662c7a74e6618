/** Which blocks of a range the archive has. */
import type { Queries } from "../../../base/storage/database.ts";
import type { LogFilter } from "../derive/deriver.ts";
import type { BlockRange } from "../source.ts";
import { type ChunkRow, covers, listChunks, readCoverages } from "./rows.ts";

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

/** A merged chunk has about this many bytes. */
const targetBytes = 1_048_576;

/** Fewer chunks than this are as fast to read one by one. */
const minChunks = 16;

/** Returns groups of chunks without gaps between them, to merge each group. `chunks` are sorted, lowest first. */
export function mergeable(chunks: readonly ChunkRow[]): readonly (readonly ChunkRow[])[] {
  const groups: ChunkRow[][] = [];
  let bytes = 0;
  for (const chunk of chunks) {
    const group = groups.at(-1);
    if (group !== undefined && group.at(-1)?.to === chunk.from - 1 && bytes < targetBytes) group.push(chunk);
    else {
      groups.push([chunk]);
      bytes = 0;
    }
    bytes += chunk.bytes;
  }
  return groups.filter((group) => group.length >= minChunks);
}
