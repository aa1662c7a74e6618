/** When calls queue up in front of the one thread for good, and how many are taken then. */

export interface ThreadQueueOptions {
  /** How long a burst may wait for the thread, in milliseconds: a page that sends all its calls at once is served. */
  readonly burstMs: number;
}

/** How busy the thread was since the last time that it was asked, from 0 to 1. */
export type Utilization = () => number;

/** So many calls at once are no overload, however long the thread takes for them: the machine is busy, or the host has just begun. */
const handful = 8;
/** How often it is looked whether the queue stands, in milliseconds. */
const windowMs = 100;
/** How many times in a row it must until it is no burst; and how many times the thread must have had time until that is over, since senders pause, too. */
const windowsToTurn = 3;
/** Busier than this the thread does not catch up; below the second share it has. */
const overloadedFrom = 0.99;
const overloadedUntil = 0.75;
/** Share of `burstMs` that a call may wait in an overload at most, where calls cost less than that. */
const strictShare = 3 / 400;

/**
 * Decides whether the thread takes one more call. Calls queue up nowhere but in front of it: a turn of the event loop hands over all
 * that has arrived meanwhile, one after another, so a call has waited at least as long as those before it in the turn took. A queue
 * that runs empty now and then is a burst, and may wait long. One that stands, turn after turn, while the thread is never idle, only
 * makes everybody wait (the sign of CoDel, RFC 8289): then a turn takes what one call costs, and the rest is refused, which costs a
 * fraction of a call. The backlog is gone with the turn, and nobody waits longer than two calls take.
 */
export class ThreadQueue {
  readonly #burstMs: number;
  readonly #utilization: Utilization;
  #turn: { readonly startedAt: number; calls: number } | undefined;
  #window: Window | undefined;
  /** Windows in a row that speak against `#isOverloaded`. */
  #against = 0;
  #isOverloaded = false;
  /** What a call costs the thread in an overload, refusals of others included, in milliseconds. */
  #callMs = Number.POSITIVE_INFINITY;

  constructor({ burstMs }: ThreadQueueOptions, utilization: Utilization) {
    this.#burstMs = burstMs;
    this.#utilization = utilization;
  }

  /** Whether one more call is taken that is handed over now. The first of a turn must be followed by `turnEnded`. */
  admits(nowMs: number): boolean {
    this.#turn ??= { startedAt: nowMs, calls: 0 };
    this.#window ??= newWindow(nowMs);
    const { startedAt } = this.#turn;
    const isFew = !this.#isOverloaded && this.#turn.calls < handful;
    this.#turn.calls++;
    if (!isFew && nowMs - startedAt > this.#boundMs) return false;
    this.#window.taken++;
    return true;
  }

  /** Whether a turn is under way of which the end is to be told. */
  get isInTurn(): boolean {
    return this.#turn !== undefined;
  }

  turnEnded(nowMs: number): void {
    const turn = this.#turn;
    const window = this.#window;
    this.#turn = undefined;
    if (turn === undefined || window === undefined) return;
    window.fewestCalls = Math.min(window.fewestCalls, turn.calls);
    window.shortestMs = Math.min(window.shortestMs, nowMs - turn.startedAt);
    if (nowMs - window.startedAt >= windowMs) this.#windowEnded(window, nowMs);
  }

  get #strictMs(): number {
    return this.#burstMs * strictShare;
  }

  get #boundMs(): number {
    return this.#isOverloaded ? Math.min(this.#strictMs, this.#callMs) : this.#burstMs;
  }

  #windowEnded({ startedAt, taken, fewestCalls, shortestMs }: Window, nowMs: number): void {
    this.#window = newWindow(nowMs);
    const utilization = this.#utilization();
    this.#callMs = ((nowMs - startedAt) * utilization) / Math.max(1, taken);
    const stands =
      utilization > overloadedFrom &&
      fewestCalls > handful &&
      shortestMs > Math.max(this.#strictMs, this.#callMs);
    const speaksAgainst = this.#isOverloaded ? utilization <= overloadedUntil : stands;
    this.#against = speaksAgainst ? this.#against + 1 : 0;
    if (this.#against < windowsToTurn) return;
    this.#isOverloaded = !this.#isOverloaded;
    this.#against = 0;
  }
}

interface Window {
  readonly startedAt: number;
  /** Calls that were taken. */
  taken: number;
  /** Of all turns with a call. */
  fewestCalls: number;
  shortestMs: number;
}

function newWindow(startedAt: number): Window {
  return {
    startedAt,
    taken: 0,
    fewestCalls: Number.POSITIVE_INFINITY,
    shortestMs: Number.POSITIVE_INFINITY,
  };
}
