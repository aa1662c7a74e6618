/** Reads blocks below the reorganisation window: from the archive where it has them, and from the nodes otherwise. */
import type { Hex } from "../../rpc/chain.ts";
import type { BlockId, ChainBlock, LogFilter } from "../derive/deriver.ts";
import { type BackfillOptions, backfill } from "../read-blocks.ts";
import type { OpenSource } from "../viem/open-source.ts";
import type { LogArchive } from "./archive.ts";
import type { ChunkContent } from "./chunk.ts";
import { type Part, planParts } from "./plan.ts";
import type { ChunkRow } from "./rows.ts";

interface RangeOfBlocks {
  readonly from: number;
  readonly to: BlockId;
  /** Lowest first. Contains every block with logs that pass the filter. */
  readonly blocks: readonly ChainBlock[];
}

/** A range that the nodes returned. */
interface FetchedRange extends RangeOfBlocks {
  readonly chunk: undefined;
  /** Parent hash of the first block. */
  readonly parentHash: Hex;
}

/** The blocks of one or several chunks. */
interface ArchivedRange extends RangeOfBlocks {
  /** The lowest of the chunks. */
  readonly chunk: ChunkRow;
  /** Undefined: unknown, because the range starts within the chunk. */
  readonly parentHash: Hex | undefined;
}

export type ReadRange = FetchedRange | ArchivedRange;

export interface ReadRangesOptions extends BackfillOptions {
  /** The filter of the derivers. Nodes may be asked for more. */
  readonly wanted: LogFilter;
}

/** Number of chunks that are read from the database while earlier ones are derived. */
const ahead = 2;

/** Chunks are joined up to these sums, because each range costs a transaction. A single chunk may have more. */
const maxJoined = { chunks: 16, logs: 8_000, blocks: 10_000 };

export async function* readRanges(
  source: OpenSource,
  archive: LogArchive | undefined,
  { wanted, ...options }: ReadRangesOptions,
): AsyncGenerator<ReadRange> {
  const parts = planParts((await archive?.list(options, wanted)) ?? [], options);
  let connected: ArchivedRange[] = [];
  for await (const { part, content } of readParts(archive, parts, wanted)) {
    const range = part.chunk && content && rangeOf(part.from, part.chunk, content);
    if (connected.length > 0 && (range === undefined || !canJoin(connected, range))) {
      yield join(connected);
      connected = [];
    }
    if (range !== undefined) connected.push(range);
    else
      for await (const fetched of backfill(source, { ...options, from: part.from, to: part.to }))
        yield { ...fetched, chunk: undefined };
  }
  if (connected.length > 0) yield join(connected);
}

/** Reads the chunks of the parts in order, some of them ahead. */
async function* readParts(
  archive: LogArchive | undefined,
  parts: readonly Part[],
  wanted: LogFilter,
): AsyncGenerator<{ readonly part: Part; readonly content: ChunkContent | undefined }> {
  const reads = new Map<Part, Promise<ChunkContent | undefined>>();
  for (const [index, part] of parts.entries()) {
    for (const next of parts.slice(index, index + 1 + ahead))
      if (archive !== undefined && next.chunk !== undefined && !reads.has(next)) {
        const read = archive.read(next.chunk, wanted);
        // Marks a rejection as handled: it is thrown when the chunk's turn comes.
        read.catch(() => {});
        reads.set(next, read);
      }
    const content = await reads.get(part);
    reads.delete(part);
    yield { part, content };
  }
}

function canJoin(ranges: readonly ArchivedRange[], next: ArchivedRange): boolean {
  const blocks = [...ranges, next].flatMap((range) => range.blocks);
  return (
    next.parentHash === ranges.at(-1)?.to.hash &&
    ranges.length < maxJoined.chunks &&
    blocks.length <= maxJoined.blocks &&
    blocks.reduce((sum, { logs }) => sum + logs.length, 0) <= maxJoined.logs
  );
}

function join(ranges: readonly ArchivedRange[]): ArchivedRange {
  const [first, last] = [ranges[0], ranges.at(-1)] as [ArchivedRange, ArchivedRange];
  return { ...first, to: last.to, blocks: ranges.flatMap((range) => range.blocks) };
}

function rangeOf(from: number, chunk: ChunkRow, content: ChunkContent): ArchivedRange {
  const isWhole = content.from === from;
  return {
    from,
    to: content.to,
    parentHash: isWhole ? content.parentHash : undefined,
    blocks: isWhole ? content.blocks : content.blocks.filter(({ number }) => number >= from),
    chunk,
  };
}
