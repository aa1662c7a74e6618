/** An interceptor that renews expired credentials: `{ url, headers, interceptor: reauthenticate(renew) }`. */
import type { Client, Interceptor } from "./client.ts";
import { RpcError } from "./errors.ts";
import { sleep } from "./sleep.ts";

/**
 * When a call fails with status 401, calls `renew`, which stores new credentials where `headers` finds them, and then
 * repeats the call once. `isExpired` selects other failures.
 *
 * Calls that were sent before a renewal ended share it: they are repeated after it, or throw what `renew` threw. The
 * time-out of a call includes the renewal. While `renew` runs, it is not called again, so it needs a time-out of its own.
 *
 * Clients with the same function `headers` share renewals, such as copies of a client. Clients with different ones do not,
 * even if they share the interceptor.
 *
 * `renew` gets a client without interceptor for its own calls. With the interceptor, they would wait for themselves.
 */
export function reauthenticate(
  renew: (client: Client) => unknown,
  isExpired: (error: RpcError) => boolean = ({ status }) => status === 401,
): Interceptor {
  const byHeaders = new WeakMap<object, Renewals>();
  /** Of clients without `headers`, such as those whose credentials are cookies. */
  const others = newRenewals();

  function renewalsOf({ headers }: Client): Renewals {
    if (headers === undefined) return others;
    const renewals = byHeaders.get(headers) ?? newRenewals();
    byHeaders.set(headers, renewals);
    return renewals;
  }

  async function run({ interceptor: _own, ...client }: Client, renewals: Renewals): Promise<void> {
    renewals.isRunning = true;
    try {
      await renew(client);
    } finally {
      renewals.isRunning = false;
      renewals.ended++;
    }
  }

  return async (call, next) => {
    const deadline = performance.now() + (call.timeoutMs || Infinity);
    const renewals = renewalsOf(call.client);
    const before = renewals.ended;
    try {
      return await next(call);
    } catch (error) {
      if (!(error instanceof RpcError && isExpired(error))) throw error;
      if (renewals.ended === before && !renewals.isRunning) renewals.last = run(call.client, renewals);
      const isOver = await endsInTime(renewals.last, deadline, call.signal);
      // An aborted call fails when it is repeated.
      if (call.signal?.aborted) return next(call);
      const leftMs = deadline - performance.now();
      if (isOver && leftMs > 0) return next({ ...call, timeoutMs: call.timeoutMs && leftMs });
      throw new RpcError({ ...call.method.schema.failures[-1], code: -1, cause: "time-out of the renewal" });
    }
  };
}

/** The renewals of the same credentials. */
interface Renewals {
  last: Promise<void>;
  isRunning: boolean;
  /** Number of renewals that have ended. */
  ended: number;
}

function newRenewals(): Renewals {
  return { last: Promise.resolve(), isRunning: false, ended: 0 };
}

/** Waits for the renewal. Returns false if the deadline passes or the call is aborted before. */
async function endsInTime(
  renewal: Promise<void>,
  deadline: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  signal?.addEventListener("abort", stop);
  if (signal?.aborted) stop();
  const timeOut = sleep(Math.min(deadline - performance.now(), 2 ** 31 - 1), controller.signal);
  try {
    return await Promise.race([renewal.then(() => true), timeOut.then(() => false)]);
  } finally {
    stop();
    signal?.removeEventListener("abort", stop);
  }
}
