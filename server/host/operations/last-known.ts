import { setTimeout as sleep } from "node:timers/promises";

/** Longest wait for one number, in milliseconds: all the others wait with it. */
const readMaxMs = 500;

/**
 * Wraps a number that may be slow to read. Returns the last known value if reading takes too long, and NaN before the first one.
 */
export function lastKnown(read: () => number | Promise<number>): () => Promise<number> {
  let known = Number.NaN;
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
    // Not read again while a read is in flight.
    reading ??= readOnce();
    await Promise.race([reading, sleep(readMaxMs, undefined, { ref: false })]);
    return known;
  };
}
