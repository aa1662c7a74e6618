/** What the host can carry, in calls at once and in time that a call waits for the one thread. */

export interface CapacityOptions {
  /** Calls whose handlers are at work. */
  readonly maxCalls: number;
  /** How long a burst may wait for the thread, in milliseconds: a page that sends all its calls at once is served. */
  readonly maxLagMs: number;
}

/** Share of `maxLagMs` that is the bound in an overload: with the turn before it a call then waits a few milliseconds at most. */
const strictShare = 3 / 400;
/** How often it is asked how busy the thread was, in milliseconds. */
const sampleMs = 25;
/** Busier than this the thread does not catch up; below the second share it has. */
const overloadedFrom = 0.99;
const overloadedUntil = 0.75;

/**
 * Decides whether a call is taken. Calls queue up nowhere but in front of the thread: a turn of the event loop hands over all that
 * has arrived meanwhile, one after another, so a call has waited at least as long as those before it in the turn took. Past the
 * bound it is refused, which costs a fraction of a call, and the backlog is gone with the turn. A burst may wait long; where the
 * thread is never idle any more it is no burst, and the calls that are taken shall wait no longer than in a quiet hour.
 */
export class Capacity {
  readonly #maxCalls: number;
  readonly #maxLagMs: number;
  #calls = 0;
  #turnStartedAt: number | undefined;
  #isOverloaded = false;
  #sampledAt = 0;
  #sample = performance.eventLoopUtilization();

  constructor({ maxCalls, maxLagMs }: CapacityOptions) {
    this.#maxCalls = maxCalls;
    this.#maxLagMs = maxLagMs;
  }

  /** Calls whose handlers are at work. */
  get calls(): number {
    return this.#calls;
  }

  /** Whether one more call may come in. */
  admits(): boolean {
    const now = performance.now();
    if (this.#turnStartedAt === undefined) {
      this.#turnStartedAt = now;
      setImmediate(() => {
        this.#turnStartedAt = undefined;
      });
    }
    if (now - this.#sampledAt >= sampleMs) this.#takeSample(now);
    if (this.#calls >= this.#maxCalls) return false;
    const bound = this.#isOverloaded ? this.#maxLagMs * strictShare : this.#maxLagMs;
    return now - this.#turnStartedAt <= bound;
  }

  /** A handler starts its work. */
  begin(): void {
    this.#calls++;
  }

  end(): void {
    this.#calls--;
  }

  #takeSample(now: number): void {
    const sample = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(sample, this.#sample);
    this.#isOverloaded = utilization > (this.#isOverloaded ? overloadedUntil : overloadedFrom);
    this.#sample = sample;
    this.#sampledAt = now;
  }
}
