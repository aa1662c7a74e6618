/** Rate limit of the calls to one host: a token bucket whose rate grows by one with each success. */
export class TokenBucket {
  #rate: number;
  #tokens: number;
  #refilledAt: number;

  constructor(initialRate: number, nowMs: number) {
    this.#rate = initialRate;
    this.#tokens = initialRate;
    this.#refilledAt = nowMs;
  }

  /** Returns how long to wait before the next call, in milliseconds; 0 if a call may start now. */
  waitMs(nowMs: number): number {
    // The bucket holds at most one second's worth of tokens.
    this.#tokens = Math.min(this.#rate, this.#tokens + ((nowMs - this.#refilledAt) * this.#rate) / 1_000);
    this.#refilledAt = nowMs;
    return this.#tokens < 1 ? ((1 - this.#tokens) * 1_000) / this.#rate : 0;
  }

  /** Takes one token; call this when a call starts. */
  take(): void {
    this.#tokens--;
  }

  succeeded(): void {
    this.#rate = Math.min(this.#rate + 1, rateMax);
  }
}

/** Maximum rate, in calls per second. Eight concurrent calls cannot reach it. */
const rateMax = 100_000;
