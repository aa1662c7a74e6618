/**
 * Runs something when a signal fires; answers how to take it back. Any number of calls may share a signal, as one that stops a
 * server: it gets a single listener, since more than ten make Node warn of a leak.
 */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  let waiting = waitingBySignal.get(signal);
  if (!waiting) {
    const all = new Set<() => void>();
    signal.addEventListener("abort", () => {
      for (const each of all) each();
    });
    waitingBySignal.set(signal, all);
    waiting = all;
  }
  const own = waiting.add(run);
  return () => own.delete(run);
}

const waitingBySignal = new WeakMap<AbortSignal, Set<() => void>>();
