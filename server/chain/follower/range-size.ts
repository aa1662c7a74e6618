/** Adapts the number of blocks in one request for logs. */

/** Ideal number of logs in one response: they take some megabytes and a tenth of a second of work. */
const targetLogs = 5_000;

/** Blocks in the first requests. If the blocks are full of matching logs, they have about `targetLogs` logs. */
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
    // A single response may not be typical, so the size at most doubles or halves.
    this.#set(Math.min(Math.max(fitting, Math.floor(this.#blocks / 2)), this.#blocks * 2));
  }

  tooMany(blocks: number): void {
    this.#set(Math.floor(blocks / 2));
  }

  #set(blocks: number): void {
    this.#blocks = Math.max(1, Math.min(this.#maxBlocks, blocks));
  }
}
