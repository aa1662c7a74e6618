/** Reads blocks below the reorganisation window in ranges. Requests run concurrently; ranges are yielded in order. */
import type { ChainBlock, LogFilter } from "./derive/deriver.ts";
import { matchesNothing } from "./derive/filters.ts";
import type { RangeSize } from "./range-size.ts";
import { type Header, InvalidResponse, type RangeLog, type Source, TooManyLogs } from "./source.ts";

export interface Range {
  readonly from: number;
  readonly to: Header;
  /** Parent hash of the first block. */
  readonly parentHash: string;
  /** Only blocks with logs. */
  readonly blocks: readonly ChainBlock[];
}

const maxConcurrentRanges = 4;

export async function* backfill(
  source: Source,
  {
    from,
    to,
    filter,
    size,
  }: { readonly from: number; readonly to: number; readonly filter: LogFilter; readonly size: RangeSize },
): AsyncGenerator<Range> {
  const inFlight: Promise<Range>[] = [];
  let next = from;
  while (next <= to || inFlight.length > 0) {
    while (next <= to && inFlight.length < maxConcurrentRanges) {
      const end = Math.min(to, next + size.blocks - 1);
      const range = fetchRange(source, next, end, filter, size);
      // Marks a rejection as handled: it is thrown when the range's turn comes.
      range.catch(() => {});
      inFlight.push(range);
      next = end + 1;
    }
    const range = await inFlight.shift();
    if (range !== undefined) yield range;
  }
}

async function fetchRange(
  source: Source,
  from: number,
  to: number,
  filter: LogFilter,
  size: RangeSize,
): Promise<Range> {
  const logs = matchesNothing(filter) ? [] : await fetchLogs(source, from, to, filter, size);
  size.record(to - from + 1, logs.length);
  const byBlock = new Map<number, RangeLog[]>();
  for (const log of logs) {
    const blockLogs = byBlock.get(log.blockNumber);
    if (blockLogs === undefined) byBlock.set(log.blockNumber, [log]);
    else blockLogs.push(log);
  }
  const numbers = [...new Set([from, ...byBlock.keys(), to])].sort((a, b) => a - b);
  const headers = await source.headersByNumber(numbers);
  const [first, last] = [headers[0], headers.at(-1)];
  if (first === undefined || last === undefined) throw new InvalidResponse("the range has no headers");
  const withLogs = headers.filter(({ number }) => byBlock.has(number));
  const blocks = await Promise.all(
    withLogs.map(async (header): Promise<ChainBlock> => {
      const { number, hash, parentHash, timestamp } = header;
      const blockLogs = byBlock.get(number) ?? [];
      if (blockLogs.some(({ blockHash }) => blockHash !== hash))
        throw new InvalidResponse("the block hash of a log differs from the hash in the block's header");
      const all = filter.indexInTransaction === true ? await source.logsOfBlock(header) : blockLogs;
      return { number, hash, parentHash, timestamp, logs: all };
    }),
  );
  return { from, to: last, parentHash: first.parentHash, blocks };
}

async function fetchLogs(
  source: Source,
  from: number,
  to: number,
  filter: LogFilter,
  size: RangeSize,
): Promise<readonly RangeLog[]> {
  try {
    return await source.logsOfRange(from, to, filter);
  } catch (err) {
    if (!(err instanceof TooManyLogs) || from === to) throw err;
    size.tooMany(to - from + 1);
    const middle = Math.floor((from + to) / 2);
    return [
      ...(await fetchLogs(source, from, middle, filter, size)),
      ...(await fetchLogs(source, middle + 1, to, filter, size)),
    ];
  }
}
