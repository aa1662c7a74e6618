/** What the host can carry: concurrent calls, and the time that a call waits for the main thread. */
interface CapacityOptions {
  readonly maxCalls: number;
  /** Longest time that a call in a burst waits for the thread, in milliseconds. */
  readonly maxLagMs: number;
}

/**
 * Decides whether a call is accepted. A call is rejected immediately if too many handlers run or the thread has too long a queue.
 */
export class Capacity {
  readonly #maxCalls: number;
  readonly #queue: ThreadQueue;
  #calls = 0;

  constructor({ maxCalls, maxLagMs }: CapacityOptions) {
    this.#maxCalls = maxCalls;
    this.#queue = new ThreadQueue({ burstMs: maxLagMs }, threadUtilization());
  }

  get calls(): number {
    return this.#calls;
  }

  admits(): boolean {
    // Runs right after the event loop has delivered everything that had arrived.
    if (!this.#queue.isInTurn) setImmediate(() => this.#queue.turnEnded(performance.now()));
    const isAdmitted = this.#queue.admits(performance.now());
    return isAdmitted && this.#calls < this.#maxCalls;
  }

  handlerStarted(): void {
    this.#calls++;
  }

  handlerEnded(): void {
    this.#calls--;
  }
}

function threadUtilization(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}

/* Detects when calls queue up permanently in front of the main thread, and limits how many are accepted then. */

interface ThreadQueueOptions {
  /**
   * Longest time that a call in a burst waits for the thread, in milliseconds: long enough for a page that sends all its calls at
   * the same time.
   */
  readonly burstMs: number;
}

/** Returns the utilization of the thread since the last call, from 0 to 1. */
type Utilization = () => number;

/**
 * This many calls in a turn are never an overload. If they take long, the machine is busy or the host has just started.
 */
const smallTurnCalls = 8;
/** Length of the window in which the queue is observed, in milliseconds. */
const windowMs = 100;
/** Consecutive windows that start or end an overload. More than one, because senders pause. */
const windowsToSwitch = 3;
/** Utilization above which the thread falls behind, and utilization below which it catches up. */
const overloadedFrom = 0.99;
const overloadedUntil = 0.75;
/** Longest wait of a call in an overload, as a share of `burstMs`. If a call costs less, the limit is its cost. */
const strictShare = 3 / 400;

/**
 * Decides whether the thread accepts one more call.
 * Calls queue only in front of the thread. A turn of the event loop delivers all calls that have arrived, one after the other,
 * so a call has waited at least as long as the calls before it in the turn took.
 * A queue that drains now and then is a burst, and its calls may wait long. A standing queue, which stays turn after turn while the thread
 * is never idle, only adds latency (the criterion of CoDel, RFC 8289). Then each turn accepts as many calls as fit into the time
 * of one call, and rejects the rest: a rejection costs a fraction of a call. The backlog is gone within the turn, and no call
 * waits longer than two calls take.
 */
export class ThreadQueue {
  readonly #burstMs: number;
  readonly #utilization: Utilization;
  #turn: { readonly startedAt: number; calls: number } | undefined;
  #window: Window | undefined;
  /** Consecutive windows whose load contradicts `#isOverloaded`. */
  #contradictingWindows = 0;
  #isOverloaded = false;
  /** Cost of a call in an overload, in milliseconds, including the rejections of others. */
  #callMs = Number.POSITIVE_INFINITY;

  constructor({ burstMs }: ThreadQueueOptions, utilization: Utilization) {
    this.#burstMs = burstMs;
    this.#utilization = utilization;
  }

  /** Whether a call that arrives now is accepted. After the first call of a turn, the caller must call `turnEnded`. */
  admits(nowMs: number): boolean {
    this.#turn ??= { startedAt: nowMs, calls: 0 };
    this.#window ??= newWindow(nowMs);
    const { startedAt } = this.#turn;
    const isSmallTurn = !this.#isOverloaded && this.#turn.calls < smallTurnCalls;
    this.#turn.calls++;
    if (!isSmallTurn && nowMs - startedAt > this.#waitMaxMs) return false;
    this.#window.accepted++;
    return true;
  }

  /** Whether a turn has begun and `turnEnded` is still to be called. */
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

  get #waitMaxMs(): number {
    return this.#isOverloaded ? Math.min(this.#strictMs, this.#callMs) : this.#burstMs;
  }

  #windowEnded({ startedAt, accepted, fewestCalls, shortestMs }: Window, nowMs: number): void {
    this.#window = newWindow(nowMs);
    const utilization = this.#utilization();
    this.#callMs = ((nowMs - startedAt) * utilization) / Math.max(1, accepted);
    const isStanding =
      utilization > overloadedFrom &&
      fewestCalls > smallTurnCalls &&
      shortestMs > Math.max(this.#strictMs, this.#callMs);
    const contradicts = this.#isOverloaded ? utilization <= overloadedUntil : isStanding;
    this.#contradictingWindows = contradicts ? this.#contradictingWindows + 1 : 0;
    if (this.#contradictingWindows < windowsToSwitch) return;
    this.#isOverloaded = !this.#isOverloaded;
    this.#contradictingWindows = 0;
  }
}

interface Window {
  readonly startedAt: number;
  accepted: number;
  /** Smallest values over all turns with a call. */
  fewestCalls: number;
  shortestMs: number;
}

function newWindow(startedAt: number): Window {
  return {
    startedAt,
    accepted: 0,
    fewestCalls: Number.POSITIVE_INFINITY,
    shortestMs: Number.POSITIVE_INFINITY,
  };
}
