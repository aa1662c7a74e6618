/** Reads blocks below the reorganisation window: from the archive where it has them, and from the nodes otherwise. */
import type { Hex } from "../../rpc/chain.ts";
import { type BackfillOptions, backfill, type Range } from "../backfill.ts";
import type { BlockId, ChainBlock, LogFilter } from "../derive/deriver.ts";
import { readProvenRanges } from "../proven-ranges.ts";
import type { OpenSource } from "../viem/open-source.ts";
import type { LogArchive } from "./archive.ts";
import type { ChunkContent } from "./chunk.ts";
import { type Part, planParts } from "./parts.ts";
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

interface ArchivedRange extends RangeOfBlocks {
  readonly chunk: ChunkRow;
  /** Undefined: unknown, because the range starts within the chunk. */
  readonly parentHash: Hex | undefined;
}

export type ReadRange = FetchedRange | ArchivedRange;

interface FetchOptions extends BackfillOptions {
  readonly checkBloom: boolean;
  readonly checkReceipts: boolean;
}

export interface ReadRangesOptions extends FetchOptions {
  /** The filter of the derivers. Nodes may be asked for more. */
  readonly wanted: LogFilter;
}

/** Number of chunks that are read from the database while earlier ones are derived. */
const ahead = 2;

export async function* readRanges(
  source: OpenSource,
  archive: LogArchive | undefined,
  { wanted, ...options }: ReadRangesOptions,
): AsyncGenerator<ReadRange> {
  const parts = planParts((await archive?.list(options, wanted)) ?? [], options);
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
    if (part.chunk !== undefined && content !== undefined) yield rangeOf(part.from, part.chunk, content);
    else
      for await (const range of readFromNodes(source, { ...options, from: part.from, to: part.to }))
        yield { ...range, chunk: undefined };
  }
}

function readFromNodes(source: OpenSource, options: FetchOptions): AsyncGenerator<Range> {
  return options.checkReceipts ? readProvenRanges(source, options) : backfill(source, options);
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
