/** Decides how the next range is read: its way, its number of blocks, and how many of these are in one request. */

import { nodeLimits } from "../rpc/node-limits.ts";
import type { LogFilter } from "./derive/deriver.ts";

export interface RangePlan {
  readonly kind: RangeKind;
  readonly blocks: number;
}

/** Remembers what nodes returned and refused as long as the chain is followed. */
export class RangePlanner {
  readonly concurrency: RangeConcurrency = new RangeConcurrency();
  readonly #sizes: Readonly<Record<RangeKind, RangeSize>>;
  /** By node and kind, because nodes have different limits. */
  readonly #caps = new Map<string, RangeCap>();
  readonly #costs = new ReadCosts();

  constructor(maxBlocks: number) {
    this.#sizes = { filtered: new RangeSize(maxBlocks), whole: new RangeSize(maxBlocks) };
  }

  /** `node` is the one that is asked first. */
  next(node: number, { indexInTransaction }: LogFilter): RangePlan {
    const blocksOf = {
      filtered: this.#requestBlocks(node, "filtered"),
      whole: this.#requestBlocks(node, "whole"),
    };
    const kind = indexInTransaction === true ? this.#costs.cheaper(blocksOf) : "filtered";
    return {
      kind,
      blocks: Math.min(
        this.#sizes[kind].blocks,
        this.capOf(node, kind).blocks * nodeLimits.rangeSize.maxRequests,
      ),
    };
  }

  capOf(node: number, kind: RangeKind): RangeCap {
    const key = `${node}/${kind}`;
    let cap = this.#caps.get(key);
    if (cap === undefined) {
      cap = new RangeCap();
      this.#caps.set(key, cap);
    }
    if (kind === "whole" && cap.blocks === Number.POSITIVE_INFINITY) {
      // No node returns all logs of more blocks than it returns some logs of.
      const { blocks } = this.capOf(node, "filtered");
      if (blocks < cap.blocks) cap.refused(blocks + 1, blocks);
    }
    return cap;
  }

  /** `transferred` is the number of logs in the responses for the range. */
  record(kind: RangeKind, transferred: number, range: ReadRange): void {
    this.#sizes[kind].record(range.blocks, transferred);
    this.#costs.record(range);
  }

  #requestBlocks(node: number, kind: RangeKind): number {
    const cap = this.capOf(node, kind);
    return cap.isClosed ? 0 : Math.min(this.#sizes[kind].blocks, cap.blocks);
  }
}

/** Adapts the number of blocks that are read and committed together to the number of their logs. */

const { firstBlocks, targetLogs } = nodeLimits.rangeSize;

export class RangeSize {
  readonly #maxBlocks: number;
  #blocks: number;

  constructor(maxBlocks: number) {
    this.#maxBlocks = maxBlocks;
    this.#blocks = Math.min(maxBlocks, firstBlocks);
  }

  get blocks(): number {
    return this.#blocks;
  }

  record(blocks: number, logs: number): void {
    const fitting = logs === 0 ? blocks * 4 : Math.round((blocks * targetLogs) / logs);
    // A single range may not be typical, so the size at most doubles or halves.
    const size = Math.min(Math.max(fitting, Math.floor(this.#blocks / 2)), this.#blocks * 2);
    this.#blocks = Math.max(1, Math.min(this.#maxBlocks, size));
  }
}

/** Learns how many blocks a node returns the logs of in one response: its limit on blocks, or on logs at the current density. */

const { growAfter, growth, precision, closedMs } = nodeLimits.rangeCap;

export class RangeCap {
  #largestServed = 0;
  #smallestRefused = Number.POSITIVE_INFINITY;
  #blocks = Number.POSITIVE_INFINITY;
  /** Responses to requests of `#blocks` blocks since the last change. */
  #served = 0;
  #growAfter: number = growAfter.min;
  #isGrowing = false;
  #closedUntil = 0;

  /** Maximum number of blocks for the next request. Infinite until the node refuses a range. */
  get blocks(): number {
    return this.#blocks;
  }

  /** Whether the node has lately refused even a single block, or all ranges. */
  get isClosed(): boolean {
    return performance.now() < this.#closedUntil;
  }

  served(blocks: number): void {
    // A smaller range says nothing about the cap.
    if (blocks < this.#blocks) return;
    if (blocks > this.#largestServed) {
      this.#largestServed = blocks;
      this.#growAfter = growAfter.min;
    }
    if (this.#isGrowing) {
      this.#isGrowing = false;
      this.#smallestRefused = Math.ceil(blocks * growth);
    }
    const isFound = this.#smallestRefused <= Math.max(blocks + 1, blocks * precision);
    if (!isFound) this.#set(Math.floor((this.#largestServed + this.#smallestRefused) / 2));
    else if (++this.#served >= this.#growAfter) {
      this.#isGrowing = true;
      this.#growAfter = Math.min(this.#growAfter * 2, growAfter.max);
      this.#set(Math.ceil(blocks * growth));
    }
  }

  /** `suggested` is the number of blocks that the node's message allows. */
  refused(blocks: number, suggested?: number): void {
    // Concurrent requests are refused together.
    if (blocks > this.#blocks) return;
    if (blocks === 1) this.close();
    if (this.#isGrowing && blocks > this.#largestServed) this.#set(this.#largestServed);
    else {
      if (blocks <= this.#largestServed) this.#largestServed = 0;
      const isPlausible = suggested !== undefined && suggested >= 1 && suggested < blocks;
      this.#smallestRefused = isPlausible ? suggested + 1 : blocks;
      this.#set(isPlausible ? suggested : Math.max(1, Math.floor((this.#largestServed + blocks) / 2)));
    }
    this.#isGrowing = false;
  }

  /** The node does not return logs of ranges at all. */
  close(): void {
    this.#closedUntil = performance.now() + closedMs;
  }

  #set(blocks: number): void {
    this.#blocks = blocks;
    this.#served = 0;
  }
}

/**
 * How many ranges are in flight. The number doubles until a node is overloaded, then grows by one for each round of ranges; it is halved when
 * a node refuses requests for their rate, or takes too long (slow start and congestion avoidance of TCP, RFC 5681).
 */
export class RangeConcurrency {
  #limit = 1;
  #isSlowStart = true;
  /** The number of reductions so far. */
  #reductions = 0;

  get limit(): number {
    return Math.floor(this.#limit);
  }

  /** Pass the result to `ended` when the range was read. */
  start(): number {
    return this.#reductions;
  }

  ended(started: number, wasOverloaded: boolean): void {
    if (!wasOverloaded) {
      this.#limit = Math.min(
        nodeLimits.rangeConcurrency.max,
        this.#limit + (this.#isSlowStart ? 1 : 1 / this.#limit),
      );
      return;
    }
    this.#isSlowStart = false;
    // Ranges that were in flight together are slowed down together, which counts once.
    if (started < this.#reductions) return;
    this.#reductions++;
    this.#limit = Math.max(1, this.#limit / 2);
  }
}

/** Estimates which way to read a range costs less, from the ranges that were read before. */

/**
 * How a range is read: only logs that pass the filter, and then all logs of each block with such a log; or all logs of all blocks, which need
 * no request for each block.
 */
export type RangeKind = "filtered" | "whole";

/** One request costs as much as transferring and parsing this many logs, about 0.7 MB. */
const logsPerRequest = 1_000;

/** Weight of the newest range in the averages. */
const newestWeight = 0.3;

/** The other way must be this much cheaper, so that estimates that are nearly equal do not alternate. */
const minGain = 0.8;

export interface ReadRange {
  readonly blocks: number;
  /** Logs that pass the filter. */
  readonly matching: number;
  /** All logs of the blocks; undefined if they are not known. */
  readonly all: number | undefined;
  /** Blocks that the filtered way reads one by one, and all logs of these. */
  readonly single: { readonly blocks: number; readonly logs: number };
}

export class ReadCosts {
  #kind: RangeKind = "filtered";
  /** Averages for each block. `all` is the upper bound until a range was read whole: the average of blocks with matching logs. */
  #matching = 0;
  #all = 0;
  #singleBlocks = 0;
  #singleLogs = 0;
  #isFirst = true;

  record({ blocks, matching, all, single }: ReadRange): void {
    const weight = this.#isFirst ? 1 : newestWeight;
    this.#isFirst = false;
    const average = (before: number, sum: number, count: number): number =>
      before + (sum / count - before) * weight;
    this.#matching = average(this.#matching, matching, blocks);
    this.#singleBlocks = average(this.#singleBlocks, single.blocks, blocks);
    this.#singleLogs = average(this.#singleLogs, single.logs, blocks);
    if (all !== undefined) this.#all = average(this.#all, all, blocks);
    else if (single.blocks > 0) this.#all = average(this.#all, single.logs, single.blocks);
  }

  /** `blocksOf` is the number of blocks of a request of each kind; 0 if nodes refuse such requests. */
  cheaper(blocksOf: Readonly<Record<RangeKind, number>>): RangeKind {
    const filtered =
      1 / blocksOf.filtered + this.#singleBlocks + (this.#matching + this.#singleLogs) / logsPerRequest;
    const whole = 1 / blocksOf.whole + this.#all / logsPerRequest;
    const [current, other] = this.#kind === "filtered" ? [filtered, whole] : [whole, filtered];
    if (other < current * minGain) this.#kind = this.#kind === "filtered" ? "whole" : "filtered";
    return this.#kind;
  }
}
