/** Estimates what it costs to catch up with a chain. */
import type { LogFilter } from "./derive/deriver.ts";
import { matchesNothing } from "./derive/filters.ts";

export interface Work {
  /** Blocks that are missing. */
  readonly blocks: number;
  /** Number of the latest blocks that are read one by one. */
  readonly window: number;
  /** Most blocks in one request for logs. */
  readonly rangeBlocks: number;
  readonly filter: LogFilter;
  /** Whether logs are proven, which takes the header of each block. */
  readonly checkReceipts: boolean;
}

export interface Requests {
  /** Requests for logs. */
  readonly logs: number;
  /** Requests for headers of blocks. */
  readonly headers: number;
}

export interface Forecast {
  readonly requests: number;
  /** Undefined if nothing limits the requests and none was measured. */
  readonly seconds: number | undefined;
}

/** Blocks of a range whose logs just fit into a response if every block has matching logs. */
const denseRangeBlocks = 25;

/**
 * A range takes one request for its logs, and one for the header of its first, its last, and each block with logs. With addresses, few
 * blocks have logs. Events of any contract are in almost every block: the ranges stay small, and each block takes a request.
 */
export function expectedRequests({ blocks, window, rangeBlocks, filter, checkReceipts }: Work): Requests {
  const recent = Math.min(blocks, window);
  const older = blocks - recent;
  const isDense = filter.addresses === undefined && !matchesNothing(filter);
  if (checkReceipts) return { logs: recent + (isDense ? older : 0), headers: blocks };
  const ranges = Math.ceil(older / (isDense ? Math.min(rangeBlocks, denseRangeBlocks) : rangeBlocks));
  if (matchesNothing(filter)) return { logs: 0, headers: recent + 2 * ranges };
  return { logs: recent + ranges, headers: recent + (isDense ? older : 2 * ranges) };
}

/** Extrapolates from what was done so far. */
export function extrapolate(
  done: { readonly blocks: number; readonly requests: number; readonly seconds: number },
  blocksLeft: number,
): Forecast {
  const ratio = blocksLeft / done.blocks;
  return { requests: done.requests * ratio, seconds: done.seconds * ratio };
}

/** `about 14,000 requests, 39 min at 6 requests/s`. */
export function describeForecast({ requests, seconds }: Forecast): string {
  const rounded = Number(requests.toPrecision(2));
  const count = `about ${rounded.toLocaleString("en-US")} ${rounded === 1 ? "request" : "requests"}`;
  if (seconds === undefined || seconds <= 0) return count;
  const perSecond = requests / seconds;
  const rate = perSecond < 10 ? Number(perSecond.toPrecision(1)) : Math.round(perSecond);
  return `${count}, ${describeDuration(seconds)} at ${rate.toLocaleString("en-US")} requests/s`;
}

function describeDuration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  if (seconds < 36 * 3_600) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}
