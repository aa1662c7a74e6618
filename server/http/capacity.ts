/** What the host can carry, in calls at once and in time that its one thread lags behind. */

export interface CapacityOptions {
  /** Calls whose handlers are at work. */
  readonly maxCalls: number;
  readonly now?: () => number;
}

/** Up to here a burst may wait for the thread, in milliseconds: a page that sends all its calls at once is served. */
const burstMaxMs = 100;
/** The thread is never done sooner than this for `overloadAfterMs`: then the host is not in a burst but past its capacity. */
const calmMaxMs = 5;
const overloadAfterMs = 100;

/**
 * Decides whether a call is taken. Calls queue up nowhere but in front of the thread: the event loop hands over all that has
 * arrived meanwhile, one after another, so a call has waited at least as long as the calls before it took. Past the bound it is
 * refused, which costs a fraction of a call, and the backlog is gone with the same turn of the loop. In an overload that lasts,
 * the bound shrinks from that of a burst to that of calm, as in CoDel (RFC 8289): the calls that are taken then wait no longer
 * than in a quiet hour.
 */
export class Capacity {
  readonly #maxCalls: number;
  readonly #now: () => number;
  #calls = 0;
  #turnStartedAt: number | undefined;
  #busySince: number | undefined;

  constructor({ maxCalls, now = () => performance.now() }: CapacityOptions) {
    this.#maxCalls = maxCalls;
    this.#now = now;
  }

  /** Calls whose handlers are at work. */
  get calls(): number {
    return this.#calls;
  }

  /** Whether one more call may come in. */
  admits(): boolean {
    const now = this.#now();
    if (this.#turnStartedAt === undefined) {
      this.#turnStartedAt = now;
      setImmediate(() => this.#endTurn());
    }
    if (this.#calls >= this.#maxCalls) return false;
    return now - this.#turnStartedAt <= (this.#isOverloaded(now) ? calmMaxMs : burstMaxMs);
  }

  /** A handler starts its work. */
  begin(): void {
    this.#calls++;
  }

  end(): void {
    this.#calls--;
  }

  #isOverloaded(now: number): boolean {
    return this.#busySince !== undefined && now - this.#busySince > overloadAfterMs;
  }

  #endTurn(): void {
    const now = this.#now();
    const startedAt = this.#turnStartedAt ?? now;
    this.#turnStartedAt = undefined;
    if (now - startedAt <= calmMaxMs) this.#busySince = undefined;
    else this.#busySince ??= startedAt;
  }
}
