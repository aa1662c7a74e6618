/** Tries again, for those who want it: `{ url, interceptor: retries() }`. */
import type { Interceptor } from "./client.ts";
import { RpcError } from "./errors.ts";
import { sleep } from "./sleep.ts";

/**
 * A failure is tried again if waiting may help (`retryable`) and nothing can happen twice: the method is idempotent, or the server
 * said that it did nothing, which is what Retry-After means here. `most`: tries after the first; a call may say another number.
 *
 * It waits as long as that header asks and a random part of 200 ms more, of 400 ms before the next try and so on, so that callers
 * spread. The time-out holds for all tries together: if the wait would pass it, the call fails at once.
 */
export function retries(most = 2): Interceptor {
  return async (call, next) => {
    const until = performance.now() + (call.timeoutMs || Infinity);
    let { timeoutMs } = call;
    for (let attempt = 0; ; attempt++) {
      try {
        return await next({ ...call, timeoutMs });
      } catch (error) {
        if (!(error instanceof RpcError) || attempt >= (call.retries ?? most)) throw error;
        const askedMs = retryAfterMs(error);
        const mayRepeat = call.method.idempotent === true || askedMs !== undefined;
        const waitMs = (askedMs ?? 0) + Math.random() * 200 * 2 ** attempt;
        const leftMs = until - performance.now() - waitMs;
        if (!error.retryable || !mayRepeat || leftMs <= 0) throw error;
        await sleep(waitMs, call.signal);
        if (timeoutMs > 0) timeoutMs = leftMs;
      }
    }
  };
}

/** What Retry-After asks for, in milliseconds; undefined if it was not sent or cannot be read. */
export function retryAfterMs({ retryAfter }: RpcError): number | undefined {
  if (!retryAfter) return undefined;
  const ms = /^[0-9]+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
