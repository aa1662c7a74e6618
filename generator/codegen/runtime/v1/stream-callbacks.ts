/** Streams with callbacks instead of `for await`. */
import { RpcError } from "./errors.ts";
import type { Stream, StreamOptions } from "./stream.ts";

/** Callbacks of `subscribe`. */
export interface StreamCallbacks<Item> {
  onMessage(item: Item): void;
  /** Called for each connection. */
  onOpen?(): void;
  /** Called when the stream failed. `reconnect` starts it again. */
  onError?(error: RpcError, reconnect: () => void): void;
  /** Called when the stream is complete. */
  onClose?(): void;
}

/** Controls a stream that `subscribe` reads. */
export interface StreamController {
  /** Ends the stream. `onError` receives error -8. */
  abort(reason?: unknown): void;
  /** Settles when the stream has ended and `reconnect` was not called. */
  readonly closed: Promise<void>;
}

/**
 * Reads a stream to its end with callbacks: `subscribe((options) => watch(client, req, options), { onMessage })`.
 * Errors that a callback throws are unhandled rejections.
 */
export function subscribe<Item>(
  open: (options: Pick<StreamOptions, "signal" | "onState">) => Stream<Item, RpcError>,
  { onMessage, onOpen, onError, onClose }: StreamCallbacks<Item>,
): StreamController {
  const aborting = new AbortController();
  async function read(): Promise<void> {
    let again: Promise<void> | undefined;
    try {
      const stream = open({
        signal: aborting.signal,
        onState: ({ kind }) => kind === "open" && onOpen?.(),
      });
      for await (const item of stream) onMessage(item);
      onClose?.();
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      let isOpen = true;
      onError?.(error, () => {
        // `closed` waits only for reconnects requested within `onError`.
        const next = read();
        if (isOpen) again = next;
      });
      isOpen = false;
    }
    await again;
  }
  return { abort: (reason) => aborting.abort(reason), closed: read() };
}
