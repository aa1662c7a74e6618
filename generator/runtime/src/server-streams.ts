import {
  type Awaitable,
  type HandlerContext,
  isAsyncIterable,
  type NoFailure,
  type Nothing,
  type RpcFailure,
} from "./handler.ts";
import { hasOwn } from "./json.ts";
import type { StreamLimits } from "./options.ts";
import {
  type Drainable,
  type OutgoingBody,
  type Reply,
  type Sink,
  type StartReply,
  successReply,
} from "./reply.ts";
import { callAfter, checkPositive, onAbort, sleep } from "./time.ts";

/*
 * A response stream: one line per item, empty lines as heartbeats, and possibly an error as the last line. Buffers at
 * most one item: the handler is asked for the next one when the caller has read.
 */

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
  #stopPings = (): void => {};
  #stopLifetime = (): void => {};
  #hasEnded = false;
  #isFull = false;
  /** Resumes the loop that waits for room. */
  #wake: (() => void) | undefined;
  #handlerDone: Promise<unknown> = Promise.resolve();
  /** Settles when the stream has ended as lost and its handler has finished. */
  readonly #lost: Promise<unknown>;
  #lose: (cause: string) => void = () => {};

  constructor(items: AsyncIterable<unknown>, call: StreamCall) {
    this.#items = items;
    this.#call = call;
    // A continuation runs in the async context of the call.
    this.#lost = new Promise<string>((resolve) => {
      this.#lose = resolve;
    }).then((cause) => {
      this.#endAsLost(cause);
      return this.#handlerDone;
    });
  }

  open(sink: Sink): void {
    if (this.#hasEnded) {
      sink.destroy();
      return;
    }
    const { maxMs } = this.#call.limits;
    this.#sink = sink;
    this.#write("\n");
    this.#pingLater();
    this.#stopLifetime = callAfter(maxMs || Infinity, undefined, () =>
      this.#endAsLost("the stream reached its maximum duration"),
    );
    this.#handlerDone = this.#run();
  }

  resume(): void {
    this.#isFull = false;
    this.#wake?.();
  }

  cancel(cause?: string): void {
    if (this.#hasEnded) return;
    this.#stop(cause === undefined ? undefined : this.#call.lost(cause), false);
    this.#stopHandler(new DOMException(cause ?? "the caller disconnected", "AbortError"));
  }

  /** Ends the stream with WebrpcStreamLost, so that its caller can reconnect. Settles when the handler has finished. */
  endAsLost(cause: string): Promise<unknown> {
    this.#lose(cause);
    return this.#lost;
  }

  #endAsLost(cause: string): void {
    if (this.#hasEnded) return;
    this.#finish(this.#call.lost(cause));
    this.#stopHandler(new DOMException(cause, "AbortError"));
  }

  #pingLater(): void {
    this.#stopPings = callAfter(this.#call.limits.pingMs || Infinity, undefined, () => {
      this.#pingLater();
      // A caller that has not read the last heartbeat needs no more of them.
      if (!this.#isFull) this.#write("\n");
    });
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
    if (this.#sink?.write(text) === false) this.#isFull = true;
  }

  #untilWritable(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
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
    this.#stopPings();
    this.#stopLifetime();
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

/**
 * A method that streams, usually an `async function*`. Each yielded item is sent. An error that it returns or throws
 * ends the stream and is sent last. The next item is requested when the connection has room for it. When the caller
 * disconnects, `ctx.signal` aborts and then the `finally` blocks run, so pass the signal to everything that waits.
 */
export type StreamHandler<Host, Request, Item, ErrorName extends string> = (
  ctx: HandlerContext<Host, ErrorName>,
  req: Request,
) => Awaitable<Items<Item, ErrorName> | RpcFailure<ErrorName>>;

/** What an `async function*` returns. */
export type Items<Item, ErrorName extends string> = AsyncIterable<
  NoFailure<Item>,
  RpcFailure<ErrorName> | undefined | Nothing
>;

/* The responses of methods that stream. */

/** `X-Accel-Buffering` tells nginx and compatible proxies not to buffer. */
const streamHeaders = {
  "Content-Type": "application/x-ndjson",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "X-Accel-Buffering": "no",
};

/** Creates the response of a handler that returned an async iterable. */
export const streamReply: StartReply = (items, call) => {
  if (!isAsyncIterable(items))
    return call.badResponse("the handler of a stream did not return an async iterable");
  if (call.isDraining) return call.lost("the server is stopping");
  const recorded: string[] = [];
  const stream: OutgoingStream = new OutgoingStream(items, {
    limits: call.streamLimits,
    encode: (item) => {
      const reply = call.encode(item);
      if (call.isRecording && reply.error === undefined) addRecordedItem(recorded, reply.body);
      return reply;
    },
    fail: (thrown) => call.fail(thrown),
    lost: (cause) => call.lost(cause),
    abort: (reason) => call.abort(reason),
    onEnd: (failure, isWritable) => {
      call.open.delete(stream);
      call.onEnd({ ...(failure ?? reply), status: reply.status }, { isWritable, items: recorded });
    },
  });
  const headers = { ...streamHeaders, "X-Request-Id": call.requestId };
  const reply: Reply = { ...successReply(""), headers, outgoing: stream };
  call.open.add(stream);
  call.whenGone(() => stream.cancel());
  return reply;
};

/** Limits of the items recorded per stream. The first items show what the others look like. */
const recordedItemLimits = { items: 20, characters: 100_000 };

/** Records an item of a stream while the limits allow it. */
function addRecordedItem(items: string[], item: string): void {
  const characters = items.reduce((sum, { length }) => sum + length, item.length);
  if (items.length < recordedItemLimits.items && characters <= recordedItemLimits.characters)
    items.push(item);
}

/* Streams that continue after any of their latest items: the handlers of methods with `@resume`. */

/**
 * Keeps the latest items of topics. Positions are opaque texts of printable ASCII, and each item has one. A position of
 * another topic, or of a store that has lost its items, is a gap.
 */
export interface ReplayStore<Item> extends ReplaySource<Item> {
  /** Adds the item that `create` returns for its id, and returns the item when readers can get it. */
  publish(topic: string, create: (id: string) => Item): Awaitable<Item>;
}

/** What readers need of a store. */
export interface ReplaySource<Item> {
  /** Returns the position after the latest item. */
  position(topic: string): Awaitable<string>;
  /**
   * Returns the items after a position, oldest first. Fewer than `max` items: there are no more. "gap": the position is
   * unknown, or an item after it has been dropped.
   */
  itemsAfter(topic: string, position: string, max: number): Awaitable<readonly ReplayEntry<Item>[] | "gap">;
  /** Calls back after items have been added. Returns the function that stops this. */
  onPublish(topic: string, wake: () => void): () => void;
}

/** An item, and the position after it. */
export interface ReplayEntry<Item> {
  readonly id: string;
  readonly item: Item;
}

/**
 * Returns the items of a topic after the position `after`, or from now on if it is absent or empty. Raises the error that `@resume` of
 * the method names if items after the position are lost, at the start or when the caller has read too slowly. Tells the
 * caller the position where the stream starts in the header `Stream-Position`. Reads of a store that fails are repeated for
 * 30 seconds, while a database restarts or another one takes over.
 * @throws TypeError if an item does not contain the id that `publish` passed, so that no caller could continue after it.
 */
export async function replay<Item, ErrorName extends string>(
  store: ReplaySource<Item>,
  topic: string,
  after: string | null | undefined,
  ctx: HandlerContext<unknown, ErrorName>,
): Promise<AsyncGenerator<Item, undefined, undefined> | RpcFailure<ErrorName>> {
  const { signal } = ctx;
  const { gap, hasId } = resumptionOf(ctx);
  const start = after || (await patiently(() => store.position(topic), signal));
  if (after && (await patiently(() => store.itemsAfter(topic, start, 1), signal)) === "gap") return gap();
  ctx.setHeader("Stream-Position", start);
  return itemsFrom(store, topic, start, { signal, gap, hasId });
}

/** What `@resume` of a method means for its handler. */
interface Resumption<ErrorName extends string = string> {
  /** Creates the error for a gap. */
  readonly gap: () => RpcFailure<ErrorName>;
  /** Whether an item contains its id. */
  readonly hasId: (item: unknown, id: string) => boolean;
}

function resumptionOf<ErrorName extends string>({
  method,
  errors,
}: HandlerContext<unknown, ErrorName>): Resumption<ErrorName> {
  const { resume } = method.annotations;
  const names = typeof resume === "string" ? resume.split(",").map((name) => name.trim()) : [];
  const [, path = "", name = ""] = names;
  const makers = errors as Readonly<Record<string, Resumption<ErrorName>["gap"]>>;
  const gap = hasOwn(makers, name) ? makers[name] : undefined;
  if (gap === undefined)
    throw new TypeError(`${method.service}/${method.name}: replay needs @resume:"after,id,Gap"`);
  const keys = path.split(".");
  const hasId = (item: unknown, id: string): boolean =>
    keys.reduce((value, key) => (value as Readonly<Record<string, unknown>> | undefined)?.[key], item) === id;
  return { gap, hasId };
}

/** How long the reads of a store may fail, in milliseconds. */
const patienceMs = 30_000;

/** Repeats a read that fails, after 0.1, 0.2, 0.4, … and at most 5 seconds. */
async function patiently<Value>(read: () => Awaitable<Value>, signal: AbortSignal): Promise<Value> {
  const start = performance.now();
  for (let pauseMs = 100; ; pauseMs = Math.min(2 * pauseMs, 5_000)) {
    try {
      return await read();
    } catch (thrown) {
      const leftMs = start + patienceMs - performance.now();
      if (leftMs <= 0) throw thrown;
      await sleep(Math.min(pauseMs, leftMs), signal);
      if (signal.aborted) throw thrown;
    }
  }
}

/** Items that a reader takes from the store in one step. */
const batch = 100;

async function* itemsFrom<Item>(
  store: ReplaySource<Item>,
  topic: string,
  start: string,
  { signal, gap, hasId }: Resumption & { readonly signal: AbortSignal },
): AsyncGenerator<Item, undefined, undefined> {
  let position = start;
  let hasNew: boolean;
  let wake = (): void => {};
  // Before the first read, so that no item is published unnoticed between a read and a wait.
  const stop = store.onPublish(topic, () => {
    hasNew = true;
    wake();
  });
  const forget = onAbort(signal, () => wake());
  try {
    while (!signal.aborted) {
      hasNew = false;
      const entries = await patiently(() => store.itemsAfter(topic, position, batch), signal);
      if (entries === "gap") throw gap();
      for (const { id, item } of entries) {
        if (!hasId(item, id)) throw new TypeError("an item must contain the id that publish passed");
        position = id;
        yield item;
      }
      if (entries.length === batch || hasNew || signal.aborted) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    forget();
    stop();
  }
  return undefined;
}

/** Options of `memoryReplayStore`. */
export interface MemoryReplayStoreOptions {
  /** Items that are kept for each topic. The oldest ones are dropped first. Default 1,000. */
  readonly maxItems?: number;
  /** How long an item is kept, in milliseconds. Default one hour. */
  readonly maxAgeMs?: number;
  /** Topics with items. The one whose last item is the oldest is dropped first. Default 10,000. */
  readonly maxTopics?: number;
}

interface KeptItem<Item> extends ReplayEntry<Item> {
  readonly sequence: number;
  readonly at: number;
}

interface Topic<Item> {
  /** Oldest first. */
  items: KeptItem<Item>[];
  /** Number of the latest item that was dropped. */
  dropped: number;
}

/**
 * Keeps the latest items of streams in this process: for tests, and for servers that are a single process. When the process
 * ends, all items are lost, and callers that continue get the error for a gap.
 * @throws RangeError if a limit is not a positive number.
 */
export function memoryReplayStore<Item>({
  maxItems = 1_000,
  maxAgeMs = 60 * 60 * 1_000,
  maxTopics = 10_000,
}: MemoryReplayStoreOptions = {}): ReplayStore<Item> {
  for (const [name, limit] of Object.entries({ maxItems, maxAgeMs, maxTopics })) checkPositive(name, limit);
  /** In the order of their latest items. */
  const topics = new Map<string, Topic<Item>>();
  const listeners = new Map<string, Set<() => void>>();
  /** Tells ids of this store from those of an earlier process. Random numbers do not exist while some hosts load a module. */
  let epoch: string | undefined;
  /** Number of the latest item, of any topic. */
  let last = 0;
  /** Number of the latest item of all topics that were dropped. */
  let floor = 0;
  let sweepAt = 0;

  function idOf(sequence: number): string {
    epoch ??= crypto.getRandomValues(new BigUint64Array(1)).join("");
    return `${epoch}-${sequence}`;
  }

  function dropOld(topic: Topic<Item>, now: number): void {
    const { items } = topic;
    let count = 0;
    for (const { at, sequence } of items) {
      if (items.length - count <= maxItems && now - at <= maxAgeMs) break;
      topic.dropped = sequence;
      count++;
    }
    if (count > 0) items.splice(0, count);
  }

  /** Returns undefined for an id of another store. */
  function sequenceOf(id: string): number | undefined {
    const [own, digits = ""] = id.split("-");
    const sequence = Number(digits);
    return own === epoch && id === idOf(sequence) && sequence <= last ? sequence : undefined;
  }

  return {
    publish(name, create) {
      const now = Date.now();
      const sequence = last + 1;
      const id = idOf(sequence);
      const item = create(id);
      last = sequence;
      const topic = topics.get(name) ?? { items: [], dropped: floor };
      topic.items.push({ id, item, sequence, at: now });
      topics.delete(name);
      topics.set(name, topic);
      dropOld(topic, now);
      if (now >= sweepAt) {
        sweepAt = now + maxAgeMs / 10;
        for (const each of topics.values()) dropOld(each, now);
      }
      for (const [oldest, { items, dropped }] of topics) {
        if (topics.size <= maxTopics) break;
        floor = Math.max(floor, items[items.length - 1]?.sequence ?? dropped);
        topics.delete(oldest);
      }
      for (const wake of listeners.get(name) ?? []) wake();
      return item;
    },
    position: () => idOf(last),
    itemsAfter(name, position, max) {
      const topic = topics.get(name);
      if (topic !== undefined) dropOld(topic, Date.now());
      const after = sequenceOf(position);
      if (after === undefined || after < (topic?.dropped ?? floor)) return "gap";
      const items = topic?.items ?? [];
      const from = firstAfter(items, after);
      return items.slice(from, from + max);
    },
    onPublish(name, wake) {
      const own = listeners.get(name) ?? new Set();
      listeners.set(name, own.add(wake));
      return () => {
        own.delete(wake);
        if (own.size === 0 && listeners.get(name) === own) listeners.delete(name);
      };
    },
  };
}

/** Returns the index of the first item with a higher number. */
function firstAfter(items: readonly { readonly sequence: number }[], sequence: number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((items[middle]?.sequence ?? 0) > sequence) high = middle;
    else low = middle + 1;
  }
  return low;
}
