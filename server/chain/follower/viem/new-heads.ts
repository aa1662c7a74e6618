import { webSocket } from "viem";
import { repeatUntil } from "../../../base/repeat.ts";
import type { Header } from "../source.ts";
import { readHeader } from "./responses.ts";

const reconnectMs = 1_000;

/**
 * Subscribes to a node's new blocks until the signal aborts. Reconnects when the connection breaks. Calls `onLive` when the
 * subscription starts or ends.
 */
export function subscribe(
  url: string,
  onHeader: (header: Header) => void,
  onLive: (isLive: boolean) => void,
  signal: AbortSignal,
): Promise<void> {
  return repeatUntil(signal, reconnectMs, async () => {
    await subscribeOnce(url, onHeader, onLive, signal).catch(() => {});
    onLive(false);
  });
}

async function subscribeOnce(
  url: string,
  onHeader: (header: Header) => void,
  onLive: (isLive: boolean) => void,
  signal: AbortSignal,
): Promise<void> {
  const transport = webSocket(url, {
    keepAlive: { interval: 5_000 },
    reconnect: false,
    retryCount: 0,
    timeout: 5_000,
  })({
    retryCount: 0,
  });
  const client = await transport.value?.getRpcClient();
  let end = (): void => {};
  const ended = new Promise<void>((done) => {
    end = done;
  });
  try {
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) return;
    await transport.value?.subscribe({
      params: ["newHeads"],
      onData: ({ result }: { readonly result?: unknown }) => {
        try {
          onHeader(readHeader(result));
        } catch {
          // A pushed header is only a hint: invalid ones are ignored, and polling finds the block.
        }
      },
      onError: () => end(),
    });
    onLive(true);
    await ended;
  } finally {
    signal.removeEventListener("abort", end);
    client?.close();
  }
}
