import { setTimeout as sleep } from "node:timers/promises";

/** Longest wait for one value, in milliseconds. A scrape waits for every value. */
const readMaxMs = 500;

/**
 * Wraps a function that may be slow to read a value. If reading takes too long, the result is the last known value, or `initial` before
 * the first one.
 */
export function lastKnown<Value>(read: () => Value | Promise<Value>, initial: Value): () => Promise<Value> {
  let known = initial;
  let reading: Promise<void> | undefined;
  async function readOnce(): Promise<void> {
    try {
      known = await read();
    } catch {
      // The source reports its own errors.
    }
    reading = undefined;
  }
  return async () => {
    // Calls share a read that is in flight.
    reading ??= readOnce();
    await Promise.race([reading, sleep(readMaxMs, undefined, { ref: false })]);
    return known;
  };
}
