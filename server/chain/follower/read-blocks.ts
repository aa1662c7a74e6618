/** Reads blocks and their logs from nodes: those below the reorganisation window in ranges, and the latest ones by their hashes. */
import type { Hex } from "../rpc/chain.ts";
import { isFilled } from "./bloom.ts";
import {
  type ChainBlock,
  type ChainLog,
  filterBlocks,
  type LogFilter,
  matchesNothing,
  passes,
} from "./derive/deriver.ts";
import type { RangeKind, RangePlanner } from "./range-planner.ts";
import {
  FilterRequired,
  type Header,
  InvalidResponse,
  type RangeLog,
  type Source,
  TooManyLogs,
} from "./source.ts";
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
export async function* backfill(
  source: Source,
  { from, to, filter, planner }: BackfillOptions,
): AsyncGenerator<Range> {
  const inFlight: Promise<Range>[] = [];
  let next = from;
  while (next <= to || inFlight.length > 0) {
    while (next <= to && inFlight.length < planner.concurrency.limit) {
      const plan = planner.next(source.preferredNode, filter);
      const end = Math.min(to, next + plan.blocks - 1);
      const range = readAdaptively(source, planner, () =>
        new RangeReader(source, filter, planner).read(next, end, plan.kind),
      );
      // Marks a rejection as handled: it is thrown when the range's turn comes.
      range.catch(() => {});
      inFlight.push(range);
      next = end + 1;
    }
    const range = await inFlight.shift();
    if (range !== undefined) yield range;
  }
}

/** Adapts the number of ranges in flight. */
async function readAdaptively(
  source: Source,
  { concurrency }: RangePlanner,
  read: () => Promise<Range>,
): Promise<Range> {
  const [started, overloads] = [concurrency.start(), source.overloads];
  try {
    return await read();
  } finally {
    concurrency.ended(started, source.overloads > overloads);
  }
}

/** The logs of a block that a node returned for the range. */
interface BlockLogs {
  readonly logs: RangeLog[];
  /** How many of them pass the filter. */
  matching: number;
}

class RangeReader {
  readonly #source: Source;
  readonly #filter: LogFilter;
  readonly #planner: RangePlanner;
  /** Blocks that the filtered way reads one by one, and the number of their logs. */
  readonly #single = { blocks: 0, logs: 0 };

  constructor(source: Source, filter: LogFilter, planner: RangePlanner) {
    this.#source = source;
    this.#filter = filter;
    this.#planner = planner;
  }

  async read(from: number, to: number, planned: RangeKind): Promise<Range> {
    const { logs, kind } = matchesNothing(this.#filter)
      ? { logs: [], kind: planned }
      : await this.#logs(from, to, planned);
    const byBlock = this.#byBlock(logs);
    const matching = [...byBlock].filter(([, block]) => block.matching > 0).map(([number]) => number);
    const headers = await this.#source.headersByNumber([...new Set([from, ...matching, to])]);
    const [first, last] = [headers[0], headers.at(-1)];
    if (first === undefined || last === undefined) throw new InvalidResponse("the range has no headers");
    const blocks = await Promise.all(
      headers.flatMap((header) => {
        const block = byBlock.get(header.number);
        return block === undefined || block.matching === 0 ? [] : [this.#block(header, block, kind)];
      }),
    );
    this.#planner.record(kind, logs.length, {
      blocks: to - from + 1,
      matching: blocks.reduce((sum, block) => sum + block.logs.length, 0),
      all: kind === "whole" ? logs.length : undefined,
      single: this.#single,
    });
    return { from, to: last, parentHash: first.parentHash, blocks };
  }

  /** Requests as many blocks at once as the node returns. */
  async #logs(
    from: number,
    to: number,
    kind: RangeKind,
  ): Promise<{ readonly logs: readonly RangeLog[]; readonly kind: RangeKind }> {
    const filter = kind === "whole" ? undefined : this.#filter;
    const logs: (readonly RangeLog[])[] = [];
    for (let next = from; next <= to; ) {
      const cap = this.#planner.capOf(this.#source.preferredNode, kind);
      const blocks = Math.min(cap.blocks, to - next + 1);
      try {
        const response = await this.#source.logsOfRange(next, next + blocks - 1, filter);
        this.#planner.capOf(response.node, kind).served(blocks);
        logs.push(response.logs);
        next += blocks;
      } catch (err) {
        if (err instanceof TooManyLogs)
          this.#planner.capOf(err.node, kind).refused(blocks, err.suggestedBlocks);
        else if (err instanceof FilterRequired) cap.close();
        else throw err;
        if (err instanceof TooManyLogs && blocks > 1) continue;
        if (kind === "whole") return this.#logs(from, to, "filtered");
        throw err;
      }
    }
    return { logs: logs.length === 1 ? (logs[0] ?? []) : logs.flat(), kind };
  }

  #byBlock(logs: readonly RangeLog[]): ReadonlyMap<number, BlockLogs> {
    const blocks = new Map<number, BlockLogs>();
    for (const log of logs) {
      let block = blocks.get(log.blockNumber);
      if (block === undefined) {
        block = { logs: [], matching: 0 };
        blocks.set(log.blockNumber, block);
      }
      block.logs.push(log);
      if (passes(this.#filter, log)) block.matching++;
    }
    return blocks;
  }

  async #block(header: Header, { logs, matching }: BlockLogs, kind: RangeKind): Promise<ChainBlock> {
    const { number, hash, parentHash, timestamp } = header;
    if (logs.some(({ blockHash }) => blockHash !== hash))
      throw new InvalidResponse("the block hash of a log differs from the hash in the block's header");
    const matchingOf = (of: readonly ChainLog[]): readonly ChainLog[] =>
      of.filter((log) => passes(this.#filter, log));
    if (this.#filter.indexInTransaction !== true)
      return { number, hash, parentHash, timestamp, logs: matchingOf(logs) };
    const isWhole = kind === "whole";
    const indexed = this.#source.withIndexes(header, logs, isWhole);
    const all = indexed ?? (await this.#source.logsOfBlock(header));
    if (isWhole ? matching < all.length : indexed === undefined) {
      this.#single.blocks++;
      this.#single.logs += all.length;
    }
    return { number, hash, parentHash, timestamp, logs: matchingOf(all) };
  }
}

// Reads ranges of blocks whose logs are checked with the headers: no node can omit a block with logs.

export interface ProvenRangesOptions {
  readonly from: number;
  readonly to: number;
  readonly filter: LogFilter;
  readonly checkBloom: boolean;
}

/** Headers that are requested and committed together. */
const rangeBlocks = 500;

export async function* readProvenRanges(
  source: Pick<OpenSource, "bloomFilters" | "logsOfBlock" | "headersByNumber">,
  { from, to, filter, checkBloom }: ProvenRangesOptions,
): AsyncGenerator<Range> {
  for (let next = from; next <= to; next += rangeBlocks) {
    const count = Math.min(rangeBlocks, to - next + 1);
    const headers = await source.headersByNumber(Array.from({ length: count }, (_, index) => next + index));
    requireChain(headers);
    const [first, last] = [headers[0], headers.at(-1)];
    if (first === undefined || last === undefined) throw new InvalidResponse("the range has no headers");
    const blocks = await readHeadBlocks(source, headers, { filter, checkBloom });
    const matching = blocks.filter(({ logs }) => logs.length > 0);
    yield { from: next, to: last, parentHash: first.parentHash, blocks: matching };
  }
}

function requireChain(headers: readonly Header[]): void {
  for (const [index, { parentHash }] of headers.entries())
    if (index > 0 && headers[index - 1]?.hash !== parentHash)
      throw new InvalidResponse("the blocks do not form a chain");
}

// Reads the logs of blocks at the head, which are requested by the hash of their block.

const maxConcurrentBlocks = 32;

export interface HeadBlocksOptions {
  readonly filter: LogFilter;
  readonly checkBloom: boolean;
}

/** Whether the bloom filter can exclude logs. A header with the root of its receipts was checked, including its filter. */
function isBelieved({ logsBloom, receiptsRoot }: Header): boolean {
  return receiptsRoot !== undefined || isFilled(logsBloom);
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
      (checkBloom && isBelieved(header) && !source.bloomFilters.mayContain(filter, logsBloom));
    return { number, hash, parentHash, timestamp, logs: hasNoLogs ? [] : await source.logsOfBlock(header) };
  };
  const blocks: ChainBlock[] = [];
  for (let start = 0; start < headers.length; start += maxConcurrentBlocks)
    blocks.push(...(await Promise.all(headers.slice(start, start + maxConcurrentBlocks).map(read))));
  return filterBlocks(blocks, { ...filter });
}
