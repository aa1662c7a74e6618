export interface QueueLimitOptions {
  /** How many are served at once: half as many may wait in a lasting overload, each for about half a turn. */
  readonly concurrency: number;
  /** Longest wait in a burst, in milliseconds; a queue that stands for longer is none. */
  readonly burstMs: number;
}

/** Without a refusal for so long an overload is over, in milliseconds. */
const calmMs = 1_000;

/** Of a turn's length, until the first was measured, in milliseconds, and how much of its average the newest one makes. */
const firstTurnMs = 10;
const newestShare = 0.05;

/**
 * Decides whether one more may wait for something scarce. A queue that runs empty now and then does its work: it takes bursts. One
 * that never does only makes everybody wait, so it is cut down to what is served within half a turn, and the rest is refused at once,
 * until nothing had to be refused for a while. The sign is that of CoDel (RFC 8289): a queue that stands.
 */
export class QueueLimit {
  readonly #options: QueueLimitOptions;
  #turnMs = firstTurnMs;
  #emptyAt = Number.NEGATIVE_INFINITY;
  #refusedAt = Number.NEGATIVE_INFINITY;

  constructor(options: QueueLimitOptions) {
    this.#options = options;
  }

  /** Whether another may wait where so many wait now. */
  admits(waiting: number, nowMs: number = performance.now()): boolean {
    const { concurrency, burstMs } = this.#options;
    if (waiting === 0) this.#emptyAt = nowMs;
    const isOverloaded = nowMs - this.#emptyAt > burstMs || nowMs - this.#refusedAt < calmMs;
    const most = isOverloaded
      ? Math.ceil(concurrency / 2)
      : Math.max(concurrency, (concurrency * burstMs) / this.#turnMs);
    if (waiting < most) return true;
    this.#refusedAt = nowMs;
    return false;
  }

  /** A turn is over that took so long. */
  served(turnMs: number): void {
    this.#turnMs += (turnMs - this.#turnMs) * newestShare;
  }
}
