import { setTimeout as sleep } from "node:timers/promises";

/** Longest wait for one value, in milliseconds. A scrape waits for every value. */
const readMaxMs = 500;

/**
 * Wraps a function that may be slow to read a value. If reading takes too long, the result is the last known value, or `initial` before
 * the first one. A value is read again after `maxAgeMs`.
 */
export function lastKnown<Value>(
  read: () => Value | Promise<Value>,
  initial: Value,
  maxAgeMs = 0,
): () => Promise<Value> {
  let known = initial;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  async function readOnce(): Promise<void> {
    try {
      known = await read();
      readAt = performance.now();
    } catch {
      // The source reports its own errors.
    }
    reading = undefined;
  }
  return async () => {
    if (performance.now() - readAt < maxAgeMs) return known;
    // Calls share a read that is in flight.
    reading ??= readOnce();
    await Promise.race([reading, sleep(readMaxMs, undefined, { ref: false })]);
    return known;
  };
}
