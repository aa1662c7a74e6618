import { ThreadQueue } from "./thread-queue.ts";

/** What the host can carry: concurrent calls, and the time that a call waits for the main thread. */
export interface CapacityOptions {
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
