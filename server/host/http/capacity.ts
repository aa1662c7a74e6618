import { ThreadQueue } from "./thread-queue.ts";

/** What the host can carry, in calls at once and in time that a call waits for the one thread. */
export interface CapacityOptions {
  /** Calls whose handlers are at work. */
  readonly maxCalls: number;
  /** How long a burst may wait for the thread, in milliseconds. */
  readonly maxLagMs: number;
}

/** Decides whether a call is taken: too many at work, or too long a wait for the thread, and it is refused at once. */
export class Capacity {
  readonly #maxCalls: number;
  readonly #queue: ThreadQueue;
  #calls = 0;

  constructor({ maxCalls, maxLagMs }: CapacityOptions) {
    this.#maxCalls = maxCalls;
    this.#queue = new ThreadQueue({ burstMs: maxLagMs }, threadUtilization());
  }

  /** Calls whose handlers are at work. */
  get calls(): number {
    return this.#calls;
  }

  /** Whether one more call may come in. */
  admits(): boolean {
    // The first thing that happens once a turn has handed over all that arrived.
    if (!this.#queue.isInTurn) setImmediate(() => this.#queue.turnEnded(performance.now()));
    const isTaken = this.#queue.admits(performance.now());
    return isTaken && this.#calls < this.#maxCalls;
  }

  /** A handler starts its work. */
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
