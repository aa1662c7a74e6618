/** Learns how many blocks a node returns the logs of in one response: its limit on blocks, or on logs at the current density. */

/** Responses after which a larger range is tried, at first and at most. The number doubles each time that the node refuses the larger range. */
const growAfter = { min: 100, max: 10_000 } as const;
const growth = 1.5;

/** The search for the cap ends when the smallest refused range is at most this much larger than the largest served one. */
const precision = 1.1;

/** How long a node that refuses a single block is not asked for the logs of ranges, in milliseconds. */
const closedMs = 600_000;

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
