import type { Config } from "../base/config/config.ts";

export interface StopDeadline {
  /** `report` runs before the process exits, while the log is still open. */
  setReport(report: () => Promise<void>): void;
}

/**
 * Longest time to close everything except the calls in flight, in milliseconds. The database's last checkpoint takes most of it.
 */
const closeMaxMs = 5_000;

/** The part of it that is left for the report, whose destination may be stuck too. */
const reportMaxMs = 1_000;

/** How long a host may take to stop, in milliseconds. */
export function stopMaxMs({
  stopDelaySeconds,
  stopMaxSeconds,
}: Pick<Config, "stopDelaySeconds" | "stopMaxSeconds">): number {
  return (stopDelaySeconds + stopMaxSeconds) * 1_000 + closeMaxMs;
}

/**
 * Ends the process at most `maxMs` after `stop` was aborted, whatever the process is waiting for: a silent database would block it
 * forever. Exit code 1: the stop was incomplete.
 */
export function startStopDeadline(stop: AbortSignal, maxMs: number): StopDeadline {
  let report = async (): Promise<void> => {};
  const end = async (): Promise<void> => {
    await Promise.race([report(), new Promise((done) => setTimeout(done, reportMaxMs))]);
    process.exit(1);
  };
  // A stop that finishes earlier exits by itself.
  const begin = (): void => void setTimeout(() => void end(), maxMs - reportMaxMs).unref();
  if (stop.aborted) begin();
  else stop.addEventListener("abort", begin, { once: true });
  return {
    setReport(callback) {
      report = callback;
    },
  };
}
