export interface QueueLimitOptions {
  /** Items that are served at the same time. In a lasting overload, one and a half times as many may wait, each for at most one and a half turns. */
  readonly concurrency: number;
  /** Longest wait in a burst, in milliseconds. A queue that stands longer is an overload. */
  readonly burstMs: number;
}

/** An overload ends after this long without a rejection, in milliseconds. */
const calmMs = 1_000;

/**
 * Assumed length of a turn until the first one was measured, in milliseconds, and the weight of the newest turn in the average.
 */
const firstTurnMs = 10;
const newestShare = 0.05;

/**
 * Decides whether one more item may queue for a scarce resource. A queue that drains now and then only absorbs bursts. A standing
 * queue, which never drains, only adds latency (the criterion of CoDel, RFC 8289). It is cut down to what is served within one and a
 * half turns; the rest is rejected immediately, until nothing was rejected for a while. Callers who repeat a few calls at a time stay
 * below that: a browser sends six to a host.
 */
export class QueueLimit {
  readonly #options: QueueLimitOptions;
  #turnMs = firstTurnMs;
  #drainedAt = Number.NEGATIVE_INFINITY;
  #rejectedAt = Number.NEGATIVE_INFINITY;

  constructor(options: QueueLimitOptions) {
    this.#options = options;
  }

  /** Whether one more item may wait in addition to `waiting` ones. */
  admits(waiting: number, nowMs: number = performance.now()): boolean {
    const { concurrency, burstMs } = this.#options;
    if (waiting === 0) this.#drainedAt = nowMs;
    const isOverloaded = nowMs - this.#drainedAt > burstMs || nowMs - this.#rejectedAt < calmMs;
    const maxWaiting = isOverloaded
      ? Math.ceil(concurrency * 1.5)
      : Math.max(concurrency, (concurrency * burstMs) / this.#turnMs);
    if (waiting < maxWaiting) return true;
    this.#rejectedAt = nowMs;
    return false;
  }

  /** Reports the length of a finished turn. */
  served(turnMs: number): void {
    this.#turnMs += (turnMs - this.#turnMs) * newestShare;
  }
}
