/** A call in time: there is an answer, time is up, or the caller gives up. */
import type { Call, Client } from "./client.ts";
import { exchange, failure } from "./client-exchange.ts";
import { RpcError } from "./errors.ts";
import { onAbort } from "./on-abort.ts";

/** Sends a call once. Settles at the time-out and at an abort at once, whatever hooks and transport are doing then. */
export function send(client: Client, call: Call): Promise<unknown> {
  const { method: { schema }, signal, until } = call;
  // Without a time-out and a signal there is nothing to tell the transport.
  const controller = signal || until < Infinity ? new AbortController() : undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let unlisten: (() => void) | undefined;
  return new Promise((resolve, reject) => {
    function stop(code: -1 | -8, cause: string): void {
      reject(failure(schema, code, cause));
      controller?.abort();
    }
    if (signal) unlisten = onAbort(signal, () => stop(-8, `${signal.reason}`));
    if (until < Infinity) timer = setTimeout(stop, until - performance.now(), -1, "time-out");
    if (!signal?.aborted) exchange(client, call, controller?.signal).then(resolve, (thrown) => {
      reject(thrown instanceof RpcError ? thrown : failure(schema, -1, `${thrown?.cause ?? thrown}`));
    });
  }).finally(() => {
    clearTimeout(timer);
    unlisten?.();
  });
}
