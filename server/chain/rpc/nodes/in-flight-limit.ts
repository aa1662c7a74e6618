/** Limits the requests in flight to nodes that slow down under load. */

/** If the quickest response takes less than this many times the shortest one, no queue has formed at the node. */
const queueFactor = 2;
/** Smaller differences, in milliseconds, come from the network or the thread, not from a queue. */
const minQueueMs = 20;
/** How long the shortest response time is remembered at least, in milliseconds, so that a node may become slower for other reasons. */
const minimumTtlMs = 10_000;
/**
 * Length of a window after which the limit is adapted, in milliseconds and in multiples of the shortest response time, so that
 * the effect of the previous change is visible.
 */
const windowMs = 100;
const windowResponses = 2;
/** Factors for the limit when a queue has formed, and when it was reached without a queue. */
const decreaseFactor = 0.7;
const increaseFactor = 1.1;
/**
 * Factor for the limit when the remembered minimum expires. Otherwise a permanent queue would be mistaken for the network's
 * latency (BBR's ProbeRTT).
 */
const probeFactor = 0.5;

/**
 * An overloaded node makes every request wait without reporting it. The sign is a standing queue (CoDel, RFC 8289, with the recent minimum
 * of TCP Vegas as the measure): for a while, even the quickest response is slow. Requests that are slow by themselves do not count. Then
 * the limit is lowered, and raised again when no queue is left. Requests beyond the limit are rejected immediately.
 */
export class InFlightLimit {
  readonly #minLimit: number;
  #limit = Number.POSITIVE_INFINITY;
  #inFlight = 0;
  #window = newWindow(Number.NEGATIVE_INFINITY);
  /** Shortest response times of the current and the previous period. */
  #shortest = { newerMs: Number.POSITIVE_INFINITY, olderMs: Number.POSITIVE_INFINITY, since: 0 };

  constructor(minLimit: number) {
    this.#minLimit = minLimit;
  }

  /** Whether another request may be sent. Call `ended` after each one. */
  admits(): boolean {
    this.#window.maxInFlight = Math.max(this.#window.maxInFlight, this.#inFlight + 1);
    if (this.#inFlight >= this.#limit) return false;
    this.#inFlight++;
    return true;
  }

  ended(): void {
    this.#inFlight--;
  }

  record(tookMs: number, nowMs: number = performance.now()): void {
    const shortestMs = this.#shortestWith(tookMs, nowMs);
    const window = this.#window;
    window.quickestMs = Math.min(window.quickestMs, tookMs);
    if (nowMs - window.startedAt < Math.max(windowMs, shortestMs * windowResponses)) return;
    this.#window = newWindow(nowMs);
    // A few slow requests do not indicate a queue.
    if (window.maxInFlight <= this.#minLimit) return;
    if (window.quickestMs > Math.max(shortestMs * queueFactor, shortestMs + minQueueMs))
      this.#limit = Math.max(this.#minLimit, Math.min(this.#limit, window.maxInFlight) * decreaseFactor);
    else if (window.maxInFlight > this.#limit) this.#limit *= increaseFactor;
  }

  #shortestWith(tookMs: number, nowMs: number): number {
    const { newerMs, olderMs, since } = this.#shortest;
    if (nowMs - since > minimumTtlMs) {
      this.#shortest = { newerMs: tookMs, olderMs: newerMs, since: nowMs };
      if (this.#window.maxInFlight > this.#limit)
        this.#limit = Math.max(this.#minLimit, this.#limit * probeFactor);
    } else this.#shortest = { newerMs: Math.min(newerMs, tookMs), olderMs, since };
    return Math.min(newerMs, olderMs, tookMs);
  }
}

interface Window {
  readonly startedAt: number;
  quickestMs: number;
  /** One more than the limit if a request was rejected. */
  maxInFlight: number;
}

function newWindow(startedAt: number): Window {
  return { startedAt, quickestMs: Number.POSITIVE_INFINITY, maxInFlight: 0 };
}
