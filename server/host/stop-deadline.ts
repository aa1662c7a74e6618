import { setTimeout as sleep } from "node:timers/promises";

/** What a stop says if it has to be cut short. */
export interface StopDeadline {
  /** What is done last, with the log that is open by then. */
  reportWith(tell: () => Promise<void>): void;
}

/** Longest time for the last words, in milliseconds: where they go may stand still as well. */
const tellMaxMs = 2_000;

/**
 * Ends the process this long after it was told to stop, whatever it waits for: a database that went silent would keep it for ever.
 * Its exit code says that the stop was none as it should be.
 */
export function startStopDeadline(stop: AbortSignal, maxMs: number): StopDeadline {
  let tell = async (): Promise<void> => {};
  const end = async (): Promise<void> => {
    await Promise.race([tell(), sleep(tellMaxMs)]);
    process.exit(1);
  };
  // What is over before needs no end.
  const begin = (): void => void setTimeout(() => void end(), maxMs).unref();
  if (stop.aborted) begin();
  else stop.addEventListener("abort", begin, { once: true });
  return {
    reportWith(way) {
      tell = way;
    },
  };
}
