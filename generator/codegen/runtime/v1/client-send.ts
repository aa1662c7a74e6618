/** Sends a call and enforces its time-out and abort signal. */
import type { Call, MethodInfo } from "./client.ts";
import { requestOf } from "./client-request.ts";
import { readResponse } from "./client-response.ts";
import { RpcError } from "./errors.ts";
import type { TransportResponse } from "./transport.ts";

/**
 * Sends a call once and reads the response with `read`. Settles immediately on time-out or abort, even if a hook or the
 * transport is still busy. Rejects with an `RpcError`, or with what the `headers` hook threw.
 *
 * @throws TypeError if the time-out is not a number from 0, or if the client's address has neither a scheme nor a path.
 */
export function send<Answer = unknown>(
  call: Call,
  read: (method: MethodInfo, response: TransportResponse) => Promise<Answer> = readResponse as never,
): Promise<Answer> {
  const { method, signal, timeoutMs } = call;
  const { transport = fetch } = call.client;
  if (!(timeoutMs >= 0)) throw new TypeError(`timeoutMs: expected 0 or more, found "${timeoutMs}"`);
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
    requestOf(call, controller?.signal ?? null).then(async (request) => {
      try {
        resolve(await read(method, await transport(...request)));
      } catch (thrown) {
        if (thrown instanceof RpcError) reject(thrown);
        else fail(-1, reasonOf(thrown as Rejection));
      }
    }, reject);
  }).finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  });
}

interface Rejection {
  readonly cause?: { readonly stack?: string };
}

/** `fetch` reports only that it failed; the reason is in its `cause`. Other causes, such as a response, are no reason. */
function reasonOf(thrown: Rejection | undefined): unknown {
  // Not `instanceof Error`: test runners load `fetch` from another realm.
  return thrown?.cause?.stack ? thrown.cause : thrown;
}
