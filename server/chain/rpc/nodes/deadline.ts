import { setMaxListeners } from "node:events";
import { NodeFault } from "./faults.ts";

/** The request as a whole has used up its time. Timers may run a millisecond early. */
export class DeadlineReached extends NodeFault {
  constructor() {
    super("the request timed out");
  }
}

/** `deadline` is a time of `performance.now()`. */
export function isOver(deadline: number | undefined): boolean {
  return deadline !== undefined && performance.now() >= deadline;
}

/**
 * Rejects with DeadlineReached at the deadline, or when the signal aborts. Uses a timer rather than AbortSignal.any, because Node 20 may garbage-collect
 * signals that only other signals reference.
 */
export function withDeadline<Value>(
  deadline: number | undefined,
  signal: AbortSignal | undefined,
  work: Promise<Value>,
): Promise<Value> {
  if (deadline === undefined) return work;
  return new Promise((done, fail) => {
    const stop = (): void => fail(new DeadlineReached());
    const timer = setTimeout(stop, Math.max(1, Math.ceil(deadline - performance.now())));
    if (signal?.aborted === true) stop();
    // A caller may have many requests. Node reports more than ten listeners as a leak.
    if (signal !== undefined) setMaxListeners(0, signal);
    signal?.addEventListener("abort", stop, { once: true });
    work.then(done, fail).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    });
  });
}
