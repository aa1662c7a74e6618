import { setTimeout as sleep } from "node:timers/promises";
import { webSocket } from "viem";
import type { Header } from "../source.ts";
import { readHeader } from "./responses.ts";

/** Between two tries to connect, in milliseconds. */
const reconnectMs = 1_000;

/** Tells new blocks as a node tells them, until the signal; connects again whenever that breaks. `onLive` hears whether it is connected. */
export async function subscribe(
  url: string,
  onHeader: (header: Header) => void,
  onLive: (isLive: boolean) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await attend(url, onHeader, onLive, signal).catch(() => {});
    onLive(false);
    await sleep(reconnectMs, undefined, { signal }).catch(() => {});
  }
}

async function attend(
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
          // What is told is a hint only: the nodes are asked for what it stands for.
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
