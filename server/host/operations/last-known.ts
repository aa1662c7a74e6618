import { setTimeout as sleep } from "node:timers/promises";

/** Longest wait for one number, in milliseconds: all others wait with it. */
const readMaxMs = 500;

/** A number that may have to be asked for elsewhere: what was known last where there is no answer in time, NaN before there was any. */
export function lastKnown(read: () => number | Promise<number>): () => Promise<number> {
  let known = Number.NaN;
  let reading: Promise<void> | undefined;
  async function readOnce(): Promise<void> {
    try {
      known = await read();
    } catch {
      // Whoever is asked has faults of their own to tell.
    }
    reading = undefined;
  }
  return async () => {
    // Not asked again while an answer is owed.
    reading ??= readOnce();
    await Promise.race([reading, sleep(readMaxMs, undefined, { ref: false })]);
    return known;
  };
}
