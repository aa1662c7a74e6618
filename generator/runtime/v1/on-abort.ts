/** Runs something when a signal fires, at once if it has, and answers how to take that back. */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  signal.addEventListener("abort", run);
  if (signal.aborted) run();
  return () => signal.removeEventListener("abort", run);
}
