/** How many calls a second a host gets: few at first, one more for each that succeeds. */
export class Pace {
  #rate: number;
  #tokens: number;
  #at: number;

  constructor(firstRate: number, nowMs: number) {
    this.#rate = firstRate;
    this.#tokens = firstRate;
    this.#at = nowMs;
  }

  /** How long to wait until a call may leave, in milliseconds; 0: it may now. */
  peek(nowMs: number): number {
    // What was not used is kept for a second.
    this.#tokens = Math.min(this.#rate, this.#tokens + ((nowMs - this.#at) * this.#rate) / 1_000);
    this.#at = nowMs;
    return this.#tokens < 1 ? ((1 - this.#tokens) * 1_000) / this.#rate : 0;
  }

  /** A call leaves. */
  take(): void {
    this.#tokens--;
  }

  succeeded(): void {
    this.#rate = Math.min(this.#rate + 1, rateMax);
  }
}

/** Far above what eight calls at once can be. */
const rateMax = 100_000;
