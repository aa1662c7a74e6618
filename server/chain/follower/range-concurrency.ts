/**
 * How many ranges are in flight. The number doubles until a node is overloaded, then grows by one for each round of ranges; it is halved when
 * a node refuses requests for their rate, or takes too long (slow start and congestion avoidance of TCP, RFC 5681).
 */
const maxConcurrent = 4;

export class RangeConcurrency {
  #limit = 1;
  #isSlowStart = true;
  /** The number of reductions so far. */
  #reductions = 0;

  get limit(): number {
    return Math.floor(this.#limit);
  }

  /** Pass the result to `ended` when the range was read. */
  start(): number {
    return this.#reductions;
  }

  ended(started: number, wasOverloaded: boolean): void {
    if (!wasOverloaded) {
      this.#limit = Math.min(maxConcurrent, this.#limit + (this.#isSlowStart ? 1 : 1 / this.#limit));
      return;
    }
    this.#isSlowStart = false;
    // Ranges that were in flight together are slowed down together, which counts once.
    if (started < this.#reductions) return;
    this.#reductions++;
    this.#limit = Math.max(1, this.#limit / 2);
  }
}
