/** A call in time: tries until there is an answer, time is up, or the caller gives up. */
import type { Call, Client } from "./client.ts";
import { exchange, failure } from "./client-exchange.ts";
import { RpcError } from "./errors.ts";
import { onAbort } from "./on-abort.ts";

/**
 * Settles at the time-out and at an abort at once, whatever hooks and transport are doing then.
 *
 * A failure is tried again if waiting may help (`retryable`) and nothing can happen twice: the method is idempotent, or the server
 * said that it did nothing, which is what Retry-After means here. It waits as long as that header asks and a random part of 200 ms
 * more, 400 ms before the next try and so on; if that would pass the time-out, it does not wait but fails.
 */
export function send(client: Client, call: Call): Promise<unknown> {
  const { method, req = {}, signal } = call;
  const { timeoutMs = client.timeoutMs ?? 30_000, retries = client.retries ?? 2 } = call;
  // Timers count up to 2^31 - 1 ms, 24 days; more, and Infinity, is as good as none.
  const isTimed = timeoutMs > 0 && timeoutMs < 2 ** 31;
  const until = isTimed ? performance.now() + timeoutMs : Infinity;
  // Without a time-out and a signal there is nothing to tell the transport.
  const controller = isTimed || signal ? new AbortController() : undefined;

  return new Promise((resolve, reject) => {
    let isOpen = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let pause: ReturnType<typeof setTimeout> | undefined;
    let unlisten: (() => void) | undefined;

    function close(): void {
      isOpen = false;
      clearTimeout(timer);
      clearTimeout(pause);
      unlisten?.();
    }

    function stop(code: -1 | -8, cause: string): void {
      close();
      reject(failure(method, code, cause));
      controller?.abort();
    }

    async function run(): Promise<unknown> {
      // A request that cannot be printed is a mistake of the program: its TypeError is no failure of the call.
      const body = method.encode ? method.encode(req) : JSON.stringify(req);
      for (let attempt = 0; ; attempt++) {
        try {
          return await exchange(client, call, body, controller?.signal);
        } catch (thrown) {
          const error = thrown instanceof RpcError ? thrown : failure(method, -1, reasonOf(thrown));
          const waitMs = (error.retryAfterMs ?? 0) + Math.random() * 200 * 2 ** attempt;
          const mayRepeat = error.retryable && (method.idempotent || error.retryAfterMs !== undefined);
          if (!isOpen || !mayRepeat || attempt >= retries || performance.now() + waitMs > until) throw error;
          await new Promise((wake) => {
            pause = setTimeout(wake, waitMs);
          });
        }
      }
    }

    if (signal?.aborted) return stop(-8, String(signal.reason));
    if (signal) unlisten = onAbort(signal, () => stop(-8, String(signal.reason)));
    if (isTimed) timer = setTimeout(() => stop(-1, `no answer in ${timeoutMs} ms`), timeoutMs);
    run().then(resolve, reject).finally(close);
  });
}

/** `fetch` says only that it failed, and hides why one level deeper. */
function reasonOf(thrown: unknown): string {
  return String((thrown as { readonly cause?: unknown } | undefined)?.cause ?? thrown);
}
