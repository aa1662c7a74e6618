/** New heads of a chain: as nodes tell them, and by asking where none does or as a safety net. */
import { setTimeout as sleep } from "node:timers/promises";
import type { FollowSettings } from "../networks/follow.ts";
import type { Header, Source } from "./source.ts";

/** How often is asked although nodes tell by themselves, in milliseconds. */
const safetyMs = 5_000;

export type Subscribe = (
  url: string,
  onHeader: (header: Header) => void,
  onLive: (isLive: boolean) => void,
  signal: AbortSignal,
) => Promise<void>;

export class Heads implements AsyncDisposable {
  readonly #source: Source;
  readonly #pollMs: number;
  readonly #closing = new AbortController();
  readonly #subscriptions: readonly Promise<void>[];
  /** By the address of the node. */
  readonly #live = new Set<string>();
  #told: Header | undefined;
  #wake = (): void => {};
  #askAt = 0;

  constructor(source: Source, { wsUrls, pollMs }: FollowSettings, subscribe: Subscribe) {
    this.#source = source;
    this.#pollMs = pollMs;
    this.#subscriptions = wsUrls.map((url) =>
      subscribe(
        url,
        (header) => {
          this.#told = header;
          this.#wake();
        },
        (isLive) => {
          if (isLive) this.#live.add(url);
          else this.#live.delete(url);
          // What was mined while nobody told.
          this.pollNow();
          this.#wake();
        },
        this.#closing.signal,
      ),
    );
  }

  /** The newest head that was told since the last time, or that a node answers when it is time to ask; undefined after so long. */
  async next(maxMs: number, signal: AbortSignal): Promise<Header | undefined> {
    const waiting = new AbortController();
    this.#wake = () => waiting.abort();
    if (this.#told === undefined) {
      const dueMs = Math.max(0, this.#askAt - performance.now());
      const either = AbortSignal.any([waiting.signal, signal]);
      if (dueMs > 0) await sleep(Math.min(dueMs, maxMs), undefined, { signal: either }).catch(() => {});
    }
    this.#wake = () => {};
    const told = this.#told;
    this.#told = undefined;
    if (told !== undefined || signal.aborted || performance.now() < this.#askAt) return told;
    this.#askAt = performance.now() + (this.#live.size > 0 ? safetyMs : this.#pollMs);
    return this.#source.latest();
  }

  /** The newest head is asked for at once, though nodes tell by themselves. */
  pollNow(): void {
    this.#askAt = 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#subscriptions);
  }
}
