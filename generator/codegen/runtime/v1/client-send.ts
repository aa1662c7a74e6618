/** Sends a call and enforces its time-out and abort signal. */
import type { Call, MethodInfo } from "./client.ts";
import { request } from "./client-request.ts";
import { readResponse } from "./client-response.ts";
import { RpcError } from "./errors.ts";
import type { TransportResponse } from "./transport.ts";

/**
 * Sends a call once and reads the response with `read`. Settles immediately on time-out or abort, even if a hook or the
 * transport is still busy.
 */
export function send<Answer = unknown>(
  call: Call,
  read: (method: MethodInfo, response: TransportResponse) => Promise<Answer> = readResponse as never,
): Promise<Answer> {
  const { method, signal, timeoutMs } = call;
  // Timers count up to 2^31 - 1 ms, 24 days. A longer time-out is the same as none.
  const isTimed = timeoutMs > 0 && timeoutMs < 2 ** 31;
  // Without a time-out and a signal, the transport has nothing to abort.
  const controller = signal || isTimed ? new AbortController() : undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let abort = (): void => {};
  return new Promise<Answer>((resolve, reject) => {
    function fail(code: -1 | -8, cause: unknown): void {
      reject(new RpcError({ ...method.schema.failures[code], code, cause: `${cause}` }));
      controller?.abort();
    }
    abort = () => fail(-8, signal?.reason);
    if (signal?.aborted) return abort();
    signal?.addEventListener("abort", abort);
    if (isTimed) timer = setTimeout(fail, timeoutMs, -1, "time-out");
    request(call, controller?.signal ?? null)
      .then((response) => read(method, response))
      .then(resolve, (thrown) => {
        if (thrown instanceof RpcError) reject(thrown);
        // `fetch` reports only that it failed; the reason is in its `cause`.
        else fail(-1, thrown?.cause ?? thrown);
      });
  }).finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  });
}
