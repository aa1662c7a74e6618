/** An interceptor that renews expired credentials: `{ url, headers, interceptor: reauthenticate(renew) }`. */
import type { Call, Client, Interceptor } from "./client.ts";
import { RpcError } from "./errors.ts";
import { sleep } from "./sleep.ts";

/**
 * When a call fails with status 401, calls `renew`, which stores new credentials where `headers` finds them, and then
 * repeats the call once. `isExpired` selects other failures.
 *
 * Calls that were sent before a renewal ended share it: they are repeated after it, or throw what `renew` threw. No call
 * waits longer than its time-out. While `renew` runs, it is not called again, so it needs a time-out of its own.
 *
 * `renew` gets a client without interceptor for its own calls. With the interceptor, they would wait for themselves.
 */
export function reauthenticate(
  renew: (client: Client) => unknown,
  isExpired: (error: RpcError) => boolean = ({ status }) => status === 401,
): Interceptor {
  let last: Promise<void> = Promise.resolve();
  let isRunning = false;
  let ended = 0;

  async function run({ interceptor: _own, ...client }: Client): Promise<void> {
    isRunning = true;
    try {
      await renew(client);
    } finally {
      isRunning = false;
      ended++;
    }
  }

  return async (call, next) => {
    const before = ended;
    try {
      return await next(call);
    } catch (error) {
      if (!(error instanceof RpcError && isExpired(error))) throw error;
      if (ended === before && !isRunning) last = run(call.client);
      const isOver = await endsInTime(last, call);
      // An aborted call fails when it is repeated.
      if (isOver || call.signal?.aborted) return next(call);
      throw new RpcError({ ...call.method.schema.failures[-1], code: -1, cause: "time-out of the renewal" });
    }
  };
}

/** Waits for the renewal. Returns false if the call times out or is aborted before. */
async function endsInTime(renewal: Promise<void>, { timeoutMs, signal }: Call): Promise<boolean> {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  signal?.addEventListener("abort", stop);
  if (signal?.aborted) stop();
  const timeOut = sleep(Math.min(timeoutMs || Infinity, 2 ** 31 - 1), controller.signal);
  try {
    return await Promise.race([renewal.then(() => true), timeOut.then(() => false)]);
  } finally {
    stop();
    signal?.removeEventListener("abort", stop);
  }
}
