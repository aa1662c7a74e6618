/**
 * A response stream: one line per item, empty lines as heartbeats, and possibly an error as the last line. Buffers at
 * most one item: the handler is asked for the next one when the caller has read.
 */
import type { Drainable, OutgoingBody, Sink } from "./outgoing-body.ts";
import type { Reply } from "./reply.ts";
import type { StreamLimits } from "./stream-server-limits.ts";

/** What a stream needs from its call. */
export interface StreamCall {
  readonly limits: StreamLimits;
  /** Serializes an item. Returns its JSON, or the failure that ends the stream. */
  encode(item: unknown): Reply;
  /** Converts what was thrown or returned instead of an item to an error response. */
  fail(thrown: unknown): Reply;
  /** Creates WebrpcStreamLost. */
  lost(cause: string): Reply;
  /** Aborts the handler's signal. */
  abort(reason: DOMException): void;
  /**
   * Called once when the stream ends. `failure` is undefined if it is complete. `isWritable` is true if the caller was
   * connected to the end.
   */
  onEnd(failure: Reply | undefined, isWritable: boolean): void;
}

/** Sends the items of a handler to the caller. */
export class OutgoingStream implements OutgoingBody, Drainable {
  readonly #items: AsyncIterable<unknown>;
  readonly #call: StreamCall;
  #iterator: AsyncIterator<unknown> | undefined;
  #sink: Sink | undefined;
  #pingTimer: ReturnType<typeof setInterval> | undefined;
  #lifetimeTimer: ReturnType<typeof setTimeout> | undefined;
  #stallTimer: ReturnType<typeof setTimeout> | undefined;
  #hasEnded = false;
  #isFull = false;
  /** Resumes the loop that waits for room. */
  #wake: (() => void) | undefined;
  #handlerDone: Promise<unknown> = Promise.resolve();

  constructor(items: AsyncIterable<unknown>, call: StreamCall) {
    this.#items = items;
    this.#call = call;
  }

  get handlerDone(): Promise<unknown> {
    return this.#handlerDone;
  }

  open(sink: Sink): void {
    if (this.#hasEnded) {
      sink.destroy();
      return;
    }
    const { pingMs, maxMs } = this.#call.limits;
    this.#sink = sink;
    this.#write("\n");
    this.#pingTimer = setInterval(() => {
      // A caller that has not read the last heartbeat needs no more of them.
      if (!this.#isFull) this.#write("\n");
    }, pingMs);
    if (maxMs > 0)
      this.#lifetimeTimer = setTimeout(
        () => this.endAsLost("the stream reached its maximum duration"),
        maxMs,
      );
    this.#handlerDone = this.#run();
  }

  resume(): void {
    this.#isFull = false;
    clearTimeout(this.#stallTimer);
    this.#wake?.();
  }

  cancel(): void {
    if (this.#hasEnded) return;
    this.#stop(undefined, false);
    this.#stopHandler(new DOMException("the caller disconnected", "AbortError"));
  }

  /** Ends the stream with WebrpcStreamLost, so that its caller can reconnect. */
  endAsLost(cause: string): void {
    if (this.#hasEnded) return;
    this.#finish(this.#call.lost(cause));
    this.#stopHandler(new DOMException(cause, "AbortError"));
  }

  async #run(): Promise<void> {
    try {
      this.#iterator = this.#items[Symbol.asyncIterator]();
      while (!this.#hasEnded) {
        if (this.#isFull) await this.#untilWritable();
        if (this.#hasEnded) break;
        const { done, value } = await this.#iterator.next();
        if (this.#hasEnded) break;
        if (done === true) this.#finish(value === undefined ? undefined : this.#call.fail(value));
        else this.#send(value);
      }
    } catch (thrown) {
      if (!this.#hasEnded) this.#finish(this.#call.fail(thrown));
    }
  }

  #send(item: unknown): void {
    const reply = item instanceof Error ? this.#call.fail(item) : this.#call.encode(item);
    if (reply.error === undefined) {
      this.#write(`${reply.body}\n`);
    } else {
      this.#finish(reply);
      this.#stopHandler(new DOMException("the stream has failed", "AbortError"));
    }
  }

  #write(text: string): void {
    if (this.#sink?.write(text) !== false || this.#isFull) return;
    this.#isFull = true;
    const { stallMs } = this.#call.limits;
    if (stallMs > 0) this.#stallTimer = setTimeout(() => this.#abortStalled(), stallMs);
  }

  #untilWritable(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Cuts the connection of a caller that does not read. A regular end would wait behind the unread data. */
  #abortStalled(): void {
    if (this.#hasEnded) return;
    const sink = this.#sink;
    this.#stop(this.#call.lost("the caller stopped reading"), false);
    this.#stopHandler(new DOMException("the caller stopped reading", "TimeoutError"));
    sink?.destroy();
  }

  #finish(failure: Reply | undefined): void {
    const sink = this.#sink;
    this.#stop(failure, true);
    if (failure !== undefined) sink?.write(`{"webrpcError":${failure.body}}\n`);
    sink?.end();
  }

  #stop(failure: Reply | undefined, isWritable: boolean): void {
    this.#hasEnded = true;
    this.#sink = undefined;
    clearInterval(this.#pingTimer);
    clearTimeout(this.#lifetimeTimer);
    clearTimeout(this.#stallTimer);
    this.#wake?.();
    this.#call.onEnd(failure, isWritable);
  }

  /** Aborts the signal first, so that a waiting handler stops waiting, then runs its `finally` blocks. */
  #stopHandler(reason: DOMException): void {
    this.#call.abort(reason);
    const iterator = this.#iterator;
    // Errors while the handler's iterator is closed cannot be reported to a caller.
    this.#handlerDone = (async () => iterator?.return?.())().catch(() => {});
  }
}
