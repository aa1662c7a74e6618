import { setTimeout as sleep } from "node:timers/promises";

/** Waits, or returns early when the signal aborts. Keeps the process alive: a host whose database is away must not end. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}

/**
 * Works, pauses for `intervalMs`, and works again until the signal aborts. A failure does not end the repetition. Failures after the
 * signal aborted are not reported.
 */
export async function repeatUntil(
  signal: AbortSignal,
  intervalMs: number,
  work: () => Promise<void>,
  onFailure: (err: unknown) => void = () => {},
): Promise<void> {
  while (!signal.aborted) {
    try {
      await work();
    } catch (err) {
      if (!signal.aborted) onFailure(err);
    }
    await pause(intervalMs, signal);
  }
}

/** Runs until it is closed. `run` never rejects, and ends soon after its signal aborts. */
export function inBackground(run: (signal: AbortSignal) => Promise<void>): AsyncDisposable {
  const closing = new AbortController();
  const running = run(closing.signal);
  return {
    async [Symbol.asyncDispose]() {
      closing.abort();
      await running;
    },
  };
}
