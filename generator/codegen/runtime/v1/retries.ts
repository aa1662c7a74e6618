/** An interceptor that retries failed calls: `{ url, interceptor: retries() }`. */
import type { Interceptor } from "./client.ts";
import { RpcError } from "./errors.ts";
import { sleep } from "./sleep.ts";

/**
 * Retries failed calls, `maxRetries` times by default; the call option `retries` overrides it.
 *
 * A call is retried if its error is `retryable` and repeating is safe: the method is idempotent, or the response has a
 * Retry-After header, which means that the server did nothing.
 *
 * Each retry waits for the Retry-After time plus a random part of 200 ms, doubled for each further retry. The time-out
 * includes all attempts: a call fails immediately if the next wait would exceed it.
 *
 * @throws RangeError if a number of retries is not a whole number from 0.
 */
export function retries(maxRetries = 2): Interceptor {
  checkCount(maxRetries);
  return async (call, next) => {
    const { retries: most = maxRetries } = call;
    checkCount(most);
    const deadline = performance.now() + (call.timeoutMs || Infinity);
    let { timeoutMs } = call;
    for (let attempt = 0; ; attempt++) {
      try {
        return await next({ ...call, timeoutMs });
      } catch (error) {
        if (!(error instanceof RpcError) || attempt >= most) throw error;
        const requestedMs = retryAfterMs(error);
        const mayRepeat = call.method.idempotent === true || requestedMs !== undefined;
        const waitMs = (requestedMs ?? 0) + Math.random() * 200 * 2 ** attempt;
        const leftMs = deadline - performance.now() - waitMs;
        if (!error.retryable || !mayRepeat || leftMs <= 0) throw error;
        await sleep(waitMs, call.signal);
        if (timeoutMs > 0) timeoutMs = leftMs;
      }
    }
  };
}

function checkCount(retries: number): void {
  if (!(retries === Infinity || (Number.isInteger(retries) && retries >= 0)))
    throw new RangeError(`retries: expected a whole number from 0, found ${retries}`);
}

/** Returns the time of the header Retry-After in milliseconds. Undefined if it is missing or invalid. */
export function retryAfterMs({ retryAfter }: RpcError): number | undefined {
  if (!retryAfter) return undefined;
  const ms = /^[0-9]+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
