/** Reads blocks and their logs from nodes: those below the reorganization window in ranges, and the latest ones by their hashes. */
import type { Hex } from "../rpc/chain.ts";
import { nodeLimits } from "../rpc/node-limits.ts";
import { isFilled } from "./bloom.ts";
import type { ChainBlock, ChainLog } from "./derive/blocks.ts";
import { filterBlocks, type LogFilter, matchesNothing, passes } from "./derive/log-filter.ts";
import type { RangePlanner } from "./range-planner.ts";
import { type Header, InvalidResponse, type RangeLog, type Source, TooManyLogs } from "./source.ts";
import type { OpenSource } from "./viem/open-source.ts";

export interface Range {
  readonly from: number;
  readonly to: Header;
  /** Parent hash of the first block. */
  readonly parentHash: Hex;
  /** Only blocks with logs that pass the filter. */
  readonly blocks: readonly ChainBlock[];
}

export interface BackfillOptions {
  readonly from: number;
  readonly to: number;
  readonly filter: LogFilter;
  readonly planner: RangePlanner;
}

/** Reads ranges concurrently, and yields them in order. */
export async function* backfill(source: Source, options: BackfillOptions): AsyncGenerator<Range> {
  const { from, to, planner } = options;
  const inFlight: Promise<Range>[] = [];
  let next = from;
  while (next <= to || inFlight.length > 0) {
    while (next <= to && inFlight.length < nodeLimits.ranges.maxConcurrent) {
      const end = Math.min(to, next + planner.rangeBlocks(source.preferredNode) - 1);
      const range = readRange(source, { ...options, from: next, to: end });
      // Marks a rejection as handled: it is thrown when the range's turn comes.
      range.catch(() => {});
      inFlight.push(range);
      next = end + 1;
    }
    const range = await inFlight.shift();
    if (range !== undefined) yield range;
  }
}

async function readRange(source: Source, options: BackfillOptions): Promise<Range> {
  const { from, to, filter, planner } = options;
  const logs = matchesNothing(filter) ? [] : await readLogs(source, options);
  planner.record(to - from + 1, logs.length);
  const byBlock = logsByBlock(logs);
  const matching = new Set(logs.filter((log) => passes(filter, log)).map(({ blockNumber }) => blockNumber));
  const headers = await source.headersByNumber([...new Set([from, ...matching, to])]);
  const [first, last] = [headers[0], headers.at(-1)];
  if (first === undefined || last === undefined) throw new InvalidResponse("the range has no headers");
  const blocks = await Promise.all(
    headers
      .filter(({ number }) => matching.has(number))
      .map((header) => toBlock(source, header, byBlock.get(header.number) ?? [], filter)),
  );
  return { from, to: last, parentHash: first.parentHash, blocks };
}

/** Requests as many blocks at once as the node returns. */
async function readLogs(
  source: Source,
  { from, to, filter, planner }: BackfillOptions,
): Promise<readonly RangeLog[]> {
  const responses: (readonly RangeLog[])[] = [];
  for (let next = from; next <= to; ) {
    const blocks = Math.min(planner.requestBlocks(source.preferredNode), to - next + 1);
    try {
      responses.push((await source.logsOfRange(next, next + blocks - 1, filter)).logs);
      next += blocks;
    } catch (err) {
      if (!(err instanceof TooManyLogs)) throw err;
      planner.refused(err.node, blocks, err.suggestedBlocks);
      if (blocks === 1) throw err;
    }
  }
  return responses.length === 1 ? (responses[0] ?? []) : responses.flat();
}

function logsByBlock(logs: readonly RangeLog[]): ReadonlyMap<number, readonly RangeLog[]> {
  const blocks = new Map<number, RangeLog[]>();
  for (const log of logs) {
    const ofBlock = blocks.get(log.blockNumber);
    if (ofBlock === undefined) blocks.set(log.blockNumber, [log]);
    else ofBlock.push(log);
  }
  return blocks;
}

async function toBlock(
  source: Source,
  header: Header,
  logs: readonly RangeLog[],
  filter: LogFilter,
): Promise<ChainBlock> {
  const { number, hash, parentHash, timestamp } = header;
  if (logs.some(({ blockHash }) => blockHash !== hash))
    throw new InvalidResponse("the block hash of a log differs from the hash in the block's header");
  const all: readonly ChainLog[] =
    filter.indexInTransaction === true
      ? (source.withIndexes(header, logs) ?? (await source.logsOfBlock(header)))
      : logs;
  return { number, hash, parentHash, timestamp, logs: all.filter((log) => passes(filter, log)) };
}

/* Reads the logs of blocks at the head, which are requested by the hash of their block. */

const maxConcurrentBlocks = 32;

export interface HeadBlocksOptions {
  readonly filter: LogFilter;
  readonly checkBloom: boolean;
}

/** Returns these blocks with the logs that pass the filter. Throws BlockNotFound. */
export async function readHeadBlocks(
  source: Pick<OpenSource, "bloomFilters" | "logsOfBlock">,
  headers: readonly Header[],
  { filter, checkBloom }: HeadBlocksOptions,
): Promise<readonly ChainBlock[]> {
  const read = async (header: Header): Promise<ChainBlock> => {
    const { number, hash, parentHash, timestamp, logsBloom } = header;
    const hasNoLogs =
      matchesNothing(filter) ||
      (checkBloom && isFilled(logsBloom) && !source.bloomFilters.mayContain(filter, logsBloom));
    return { number, hash, parentHash, timestamp, logs: hasNoLogs ? [] : await source.logsOfBlock(header) };
  };
  const blocks: ChainBlock[] = [];
  for (let start = 0; start < headers.length; start += maxConcurrentBlocks)
    blocks.push(...(await Promise.all(headers.slice(start, start + maxConcurrentBlocks).map(read))));
  return filterBlocks(blocks, { ...filter });
}
