/** Adapts the number of blocks that are read and committed together to the number of their logs. */

/**
 * Ideal number of logs: they take some megabytes and a tenth of a second of work. Many providers return at most 10,000 logs in one response.
 */
const targetLogs = 8_000;

/** Blocks in the first range. If the blocks are full of matching logs, they have about `targetLogs` logs. */
const initialBlocks = 25;

export class RangeSize {
  readonly #maxBlocks: number;
  #blocks: number;

  constructor(maxBlocks: number) {
    this.#maxBlocks = maxBlocks;
    this.#blocks = Math.min(maxBlocks, initialBlocks);
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
