/** How many blocks go into one question for logs. */

/** Logs of one answer that are neither many nor few: some megabytes, a tenth of a second of work. */
const wantedLogs = 5_000;

/** Of the first questions: where every block is full of what is wanted, no more than is wanted at once. */
const firstBlocks = 25;

export class RangeSize {
  readonly #most: number;
  #blocks: number;

  constructor(most: number) {
    this.#most = most;
    this.#blocks = Math.min(most, firstBlocks);
  }

  get blocks(): number {
    return this.#blocks;
  }

  /** So many blocks had so many logs. */
  record(blocks: number, logs: number): void {
    const fitting = logs === 0 ? blocks * 4 : Math.round((blocks * wantedLogs) / logs);
    // An early answer says little of what comes, so it doubles or halves at most.
    this.#set(Math.min(Math.max(fitting, Math.floor(this.#blocks / 2)), this.#blocks * 2));
  }

  /** So many blocks were too many. */
  tooMany(blocks: number): void {
    this.#set(Math.floor(blocks / 2));
  }

  #set(blocks: number): void {
    this.#blocks = Math.max(1, Math.min(this.#most, blocks));
  }
}
