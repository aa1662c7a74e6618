/** What the host can carry, in calls at once and in time that its one thread lags behind. */

export interface CapacityOptions {
  /** Calls whose handlers are at work. */
  readonly maxCalls: number;
  /** How long a burst may wait for the thread, in milliseconds: a page that sends all its calls at once is served. */
  readonly maxLagMs: number;
  readonly now?: () => number;
}

/** Of the bound of a burst. A thread that is done sooner is calm. */
const calmShare = 1 / 20;
/** A thread that was not calm for this long, in milliseconds, is not in a burst but past its capacity. */
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
  readonly #maxLagMs: number;
  readonly #calmMs: number;
  readonly #now: () => number;
  #calls = 0;
  #turnStartedAt: number | undefined;
  #busySince: number | undefined;

  constructor({ maxCalls, maxLagMs, now = () => performance.now() }: CapacityOptions) {
    this.#maxCalls = maxCalls;
    this.#maxLagMs = maxLagMs;
    this.#calmMs = maxLagMs * calmShare;
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
    return now - this.#turnStartedAt <= (this.#isOverloaded(now) ? this.#calmMs : this.#maxLagMs);
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
    if (now - startedAt <= this.#calmMs) this.#busySince = undefined;
    else this.#busySince ??= startedAt;
  }
}
