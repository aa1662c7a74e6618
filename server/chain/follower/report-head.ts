import { setTimeout as sleep } from "node:timers/promises";
import type { Source } from "./source.ts";

/** Interval between requests for the newest block, in milliseconds. */
const pollMs = 10_000;

/**
 * Reports the newest block until the signal aborts, even while the follower is stopped or fails, so that the operator sees how far it is
 * behind. Failures of nodes are ignored: the follower reports them.
 */
export async function reportHead(
  source: Pick<Source, "latest">,
  report: (head: number) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await source.latest().then(
      ({ number }) => report(number),
      () => {},
    );
    await sleep(pollMs, undefined, { signal }).catch(() => {});
  }
}
