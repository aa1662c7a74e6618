/**
 * A streamed answer on its way to the caller: a line an item, an empty line as a sign of life, and an error as the last line.
 * It holds one item at most: while the caller does not read, the handler is not asked for the next.
 */
import type { Reply } from "./errors-wire.ts";
import type { ReplyStream, Sink } from "./reply-stream.ts";

/** Bounds of a stream. */
export interface StreamLimits {
  /** Time between two signs of life, in milliseconds. Default 10,000, which is webrpc's: its clients give up after 11 s to 22 s. */
  readonly pingMs: number;
  /** How long a caller may leave full buffers unread before the connection is cut. Default 120,000. 0: no bound. */
  readonly stallMs: number;
  /** The longest life of a stream; its caller is told that it is lost and asks anew. Default 0: no bound. */
  readonly maxMs: number;
}

export const defaultStreamLimits: StreamLimits = { pingMs: 10_000, stallMs: 120_000, maxMs: 0 };

/** What a stream asks of the call that it answers. */
export interface StreamCall {
  readonly limits: StreamLimits;
  /** An item as an answer of its own: its JSON, or the failure that ends the stream. */
  encode(item: unknown): Reply;
  /** What was thrown or returned in place of an item, as a failure. */
  fail(thrown: unknown): Reply;
  /** WebrpcStreamLost. */
  lost(cause: string): Reply;
  /** Tells the handler by its signal that nobody waits any more. */
  abort(reason: DOMException): void;
  /** Called once, with what the stream ended in; undefined: whole. `isWritable`: the caller was there to the end. */
  onEnd(failure: Reply | undefined, isWritable: boolean): void;
}

export class OutgoingStream implements ReplyStream {
  readonly #items: AsyncIterable<unknown>;
  readonly #call: StreamCall;
  #iterator: AsyncIterator<unknown> | undefined;
  #sink: Sink | undefined;
  #pingTimer: ReturnType<typeof setInterval> | undefined;
  #lifetimeTimer: ReturnType<typeof setTimeout> | undefined;
  #stallTimer: ReturnType<typeof setTimeout> | undefined;
  #hasEnded = false;
  #isFull = false;
  /** Wakes the loop that waits for room. */
  #wake: (() => void) | undefined;
  #handlerDone: Promise<unknown> = Promise.resolve();

  constructor(items: AsyncIterable<unknown>, call: StreamCall) {
    this.#items = items;
    this.#call = call;
  }

  /** Settles when the handler's iterator is done, also where it takes its time after the caller has left. */
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
      // Who has not read the last one needs no more of them.
      if (!this.#isFull) this.#write("\n");
    }, pingMs);
    if (maxMs > 0)
      this.#lifetimeTimer = setTimeout(
        () => this.endAsLost("the stream has lasted as long as it may"),
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
    this.#stopHandler(new DOMException("the caller went away", "AbortError"));
  }

  /** Ends the stream from our side; who reads it may ask for it anew. */
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

  /** Nobody reads: an orderly end would wait behind what nobody reads. */
  #abortStalled(): void {
    if (this.#hasEnded) return;
    const sink = this.#sink;
    this.#stop(this.#call.lost("the caller does not read"), false);
    this.#stopHandler(new DOMException("the caller does not read", "TimeoutError"));
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

  /** First the signal, so that a handler which waits stops waiting; then its `finally`. */
  #stopHandler(reason: DOMException): void {
    this.#call.abort(reason);
    const iterator = this.#iterator;
    // What a handler throws while it is sent home has nobody left to hear it.
    this.#handlerDone = (async () => iterator?.return?.())().catch(() => {});
  }
}
