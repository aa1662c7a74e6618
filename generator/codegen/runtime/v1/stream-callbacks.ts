/** A stream by callbacks, for those whose code has that form. */
import { RpcError } from "./errors.ts";
import type { Stream, StreamOptions } from "./stream.ts";

export interface StreamCallbacks<Item> {
  onMessage(item: Item): void;
  /** At each connection. */
  onOpen?(): void;
  /** The stream has ended in an error; `reconnect` asks for it anew. */
  onError?(error: RpcError, reconnect: () => void): void;
  /** It has ended, and there was nothing more to come. */
  onClose?(): void;
}

export interface StreamController {
  /** Ends the stream: `onError` hears of it as -8. */
  abort(reason?: unknown): void;
  /** Settles when the stream has ended, in whatever way, and nobody has called `reconnect`. */
  readonly closed: Promise<void>;
}

/**
 * Reads a stream at once and to its end: `subscribe((options) => watch(client, req, options), { onMessage })`. Items come as fast as
 * they can be read. What a callback throws is reported as any error that nobody catches.
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
        // Later calls come from an error that is over: `closed` waits only for those that were made within it.
        const next = read();
        if (isOpen) again = next;
      });
      isOpen = false;
    }
    await again;
  }
  return { abort: (reason) => aborting.abort(reason), closed: read() };
}
