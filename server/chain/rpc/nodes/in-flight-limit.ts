/** Limits the requests in flight to nodes that slow down under load. */
import { nodeLimits } from "../node-limits.ts";

const {
  queueFactor,
  minQueueMs,
  minimumTtlMs,
  windowMs,
  windowResponses,
  decreaseFactor,
  increaseFactor,
  probeFactor,
} = nodeLimits.inFlight;

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
