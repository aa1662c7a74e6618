/** Decides how many blocks are read and committed together, and how many of these are in one request for logs. */
import { nodeLimits } from "../rpc/node-limits.ts";

const { firstBlocks, targetLogs, maxRequests, shrinkFactor, rememberMs } = nodeLimits.ranges;

interface Cap {
  readonly blocks: number;
  /** A time of `performance.now()`. */
  readonly until: number;
}

/** Remembers the number of logs in ranges, and what nodes refused. */
export class RangePlanner {
  readonly #maxBlocks: number;
  #blocks: number;
  /** By node, because nodes have different limits on blocks, and on logs. */
  readonly #caps = new Map<number, Cap>();

  constructor(maxBlocks: number) {
    this.#maxBlocks = maxBlocks;
    this.#blocks = Math.min(maxBlocks, firstBlocks);
  }

  /** Returns the number of blocks in the next range. `node` is the one that is asked first. */
  rangeBlocks(node: number): number {
    return Math.min(this.#blocks, this.requestBlocks(node) * maxRequests);
  }

  /** Returns the most blocks for a request to the node. Infinite until the node refuses a range. */
  requestBlocks(node: number): number {
    const cap = this.#caps.get(node);
    return cap !== undefined && performance.now() < cap.until ? cap.blocks : Number.POSITIVE_INFINITY;
  }

  /** Adapts the size of ranges: one of `blocks` blocks had `logs` logs. */
  record(blocks: number, logs: number): void {
    const fitting = logs === 0 ? blocks * 4 : Math.round((blocks * targetLogs) / logs);
    // A single range may not be typical, so the size at most doubles or halves.
    const size = Math.min(Math.max(fitting, Math.floor(this.#blocks / 2)), this.#blocks * 2);
    this.#blocks = Math.max(1, Math.min(this.#maxBlocks, size));
  }

  /** The node did not return the logs of `blocks` blocks in one response. `suggested` is the number that its message allows. */
  refused(node: number, blocks: number, suggested?: number): void {
    // Concurrent requests are refused together.
    if (blocks > this.requestBlocks(node)) return;
    const isPlausible = suggested !== undefined && suggested >= 1 && suggested < blocks;
    this.#caps.set(node, {
      blocks: isPlausible ? suggested : Math.max(1, Math.floor(blocks * shrinkFactor)),
      until: performance.now() + rememberMs,
    });
  }
}
