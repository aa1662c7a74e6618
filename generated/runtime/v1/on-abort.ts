const runsBySignal = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Runs something when a signal fires, at once if it has, and answers how to take that back. Any number of calls may share a signal,
 * as one that stops a server: it gets a single listener, since more than ten make Node warn of a leak.
 */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  let runs = runsBySignal.get(signal);
  if (!runs) {
    const all = new Set<() => void>();
    runsBySignal.set(signal, (runs = all));
    signal.addEventListener("abort", () => all.forEach((each) => each()));
  }
  runs.add(run);
  if (signal.aborted) run();
  return () => runs.delete(run);
}
