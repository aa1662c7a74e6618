/** New heads of a chain: pushed by nodes over WebSocket, and polled where no node pushes or as a fallback. */
import { pause } from "../../base/repeat.ts";
import type { FollowSettings } from "../networks/follow.ts";
import type { Header, Source } from "./source.ts";

/** Poll interval while nodes push heads, in milliseconds. */
const fallbackPollMs = 5_000;

export type Subscribe = (
  url: string,
  onHeader: (header: Header) => void,
  onLive: (isLive: boolean) => void,
  signal: AbortSignal,
) => Promise<void>;

export class HeadStream implements AsyncDisposable {
  readonly #source: Source;
  readonly #pollMs: number;
  readonly #closing = new AbortController();
  readonly #subscriptions: readonly Promise<void>[];
  /** URLs of the nodes that are connected. */
  readonly #live = new Set<string>();
  #pushed: Header | undefined;
  #wake = (): void => {};
  #pollAt = 0;

  constructor(source: Source, { wsUrls, pollMs }: FollowSettings, subscribe: Subscribe) {
    this.#source = source;
    this.#pollMs = pollMs;
    this.#subscriptions = wsUrls.map((url) =>
      subscribe(
        url,
        (header) => {
          this.#pushed = header;
          this.#wake();
        },
        (isLive) => {
          if (isLive) this.#live.add(url);
          else this.#live.delete(url);
          // Blocks may have been mined while no node was connected.
          this.pollNow();
          this.#wake();
        },
        this.#closing.signal,
      ),
    );
  }

  /** Returns the newest head that was pushed since the last call, or polls a node when that is due. Returns undefined after `maxMs`. */
  async next(maxMs: number, signal: AbortSignal): Promise<Header | undefined> {
    const waiting = new AbortController();
    this.#wake = () => waiting.abort();
    if (this.#pushed === undefined) {
      const dueMs = Math.max(0, this.#pollAt - performance.now());
      const either = AbortSignal.any([waiting.signal, signal]);
      if (dueMs > 0) await pause(Math.min(dueMs, maxMs), either);
    }
    this.#wake = () => {};
    const pushed = this.#pushed;
    this.#pushed = undefined;
    if (pushed !== undefined || signal.aborted || performance.now() < this.#pollAt) return pushed;
    this.#pollAt = performance.now() + (this.#live.size > 0 ? fallbackPollMs : this.#pollMs);
    return this.#source.latest();
  }

  /** Makes the next call poll immediately, even while nodes push heads. */
  pollNow(): void {
    this.#pollAt = 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#subscriptions);
  }
}
