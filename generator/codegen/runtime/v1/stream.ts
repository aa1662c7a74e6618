/** A stream on the client. It connects when it is first read, and reconnects when the connection is lost. */
import type { Call, CallOptions, MethodInfo } from "./client.ts";
import { readResponse } from "./client-response.ts";
import { send } from "./client-send.ts";
import { RpcError } from "./errors.ts";
import type { Failing } from "./result.ts";
import { retryAfterMs } from "./retries.ts";
import { sleep } from "./sleep.ts";
import { readItems, streamFailure } from "./stream-items.ts";
import type { Transport, TransportResponse } from "./transport.ts";

/**
 * The items of a stream: `for await (const item of watch(client, req))`. Reading slowly slows the server down. Leaving
 * the loop ends the stream. It can be read once.
 */
export interface Stream<Item, Failure extends RpcError>
  extends AsyncIterableIterator<Item, undefined, undefined>,
    Failing<Failure> {
  readonly state: StreamState;
  next(): Promise<IteratorResult<Item, undefined>>;
  /** Ends the stream. A pending `next()` resolves without an item. */
  return(): Promise<IteratorResult<Item, undefined>>;
  [Symbol.asyncIterator](): Stream<Item, Failure>;
}

/**
 * `waiting`: the connection was lost and is opened again after `delayMs`. `attempt` counts failed attempts
 * in a row.
 */
export type StreamState =
  | { readonly kind: "idle" | "open" }
  | { readonly kind: "connecting"; readonly attempt: number }
  | {
      readonly kind: "waiting";
      readonly attempt: number;
      readonly delayMs: number;
      readonly error: RpcError;
    }
  | { readonly kind: "closed"; readonly error?: RpcError };

/** Options of a stream. `timeoutMs` is the time to connect. */
export interface StreamOptions<Req = unknown, Item = unknown> extends CallOptions {
  /**
   * Whether to reconnect when an open stream is lost. Default true. The same request is sent again, so items may be
   * missed or repeated unless `resume` is set.
   */
  readonly reconnect?: boolean | Reconnect;
  /** Returns the request that continues after the last item. `last` is undefined if no item has arrived. */
  readonly resume?: (req: Req, last: Item | undefined) => Req;
  /**
   * A stream without any data for this long counts as lost, in milliseconds. Default 25,000; servers send a heartbeat
   * every 10,000. 0: no limit.
   */
  readonly silenceMs?: number;
  /** Longest item, in UTF-16 units. Default 16 Mi. */
  readonly itemMaxLength?: number;
  readonly onState?: (state: StreamState) => void;
}

/** The delay before a reconnect: random, up to `firstMs`, doubled for each further attempt up to `mostMs`. */
export interface Reconnect {
  /** Attempts in a row, at most. Default 10, about a minute. An item, or ten seconds of an open stream, ends the row. */
  readonly tries?: number;
  /** In milliseconds. Default 500. */
  readonly firstMs?: number;
  /** In milliseconds. Default 30,000. */
  readonly mostMs?: number;
}

/** A connection that was open for so long, in milliseconds, was no failed attempt. Servers send a heartbeat in this time. */
const healthyMs = 10_000;

/** The implementation of `Stream`. */
export class IncomingStream implements AsyncIterableIterator<unknown, undefined, undefined> {
  readonly #options: StreamOptions;
  readonly #controller = new AbortController();
  readonly #items: AsyncGenerator<unknown, undefined, undefined>;
  #call: Call;
  #state: StreamState = { kind: "idle" };
  #isReturned = false;

  constructor(call: Call, options: StreamOptions) {
    this.#options = options;
    this.#call = { ...call, signal: this.#controller.signal };
    this.#items = this.#read();
  }

  get state(): StreamState {
    return this.#state;
  }

  next(): Promise<IteratorResult<unknown, undefined>> {
    return this.#items.next();
  }

  async return(): Promise<IteratorResult<unknown, undefined>> {
    this.#isReturned = true;
    this.#controller.abort("left");
    await this.#items.return(undefined);
    this.#enter({ kind: "closed" });
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async *#read(): AsyncGenerator<unknown, undefined, undefined> {
    const { signal } = this.#options;
    const abort = (): void => this.#controller.abort(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort);
    try {
      yield* this.#readAll();
      this.#enter({ kind: "closed" });
    } catch (error) {
      if (this.#isReturned) return undefined;
      this.#enter({ kind: "closed", ...(error instanceof RpcError && { error }) });
      throw error;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
    return undefined;
  }

  /** Reads all connections of the stream in sequence. */
  async *#readAll(): AsyncGenerator<unknown, void, undefined> {
    const { silenceMs = 25_000, itemMaxLength = 2 ** 24, resume, reconnect = true } = this.#options;
    const {
      tries = 10,
      firstMs = 500,
      mostMs = 30_000,
    } = reconnect === true ? {} : reconnect || { tries: 0 };
    const { method } = this.#call;
    const first = this.#call.req;
    const { signal } = this.#controller;
    let last: unknown;
    let wasOpen = false;
    for (let attempt = 0; ; attempt++) {
      let openSince: number | undefined;
      try {
        this.#enter({ kind: "connecting", attempt });
        const body = await this.#connect();
        this.#enter({ kind: "open" });
        openSince = performance.now();
        wasOpen = true;
        for await (const item of readItems(body, { method, silenceMs, itemMaxLength, signal })) {
          attempt = 0;
          last = item;
          yield item;
        }
        return;
      } catch (error) {
        if (!(error instanceof RpcError) || signal.aborted) throw error;
        // An error that the server sends within a stream is final, even if its status is retryable.
        const mayHelp = openSince === undefined ? error.retryable : error.side === "request";
        if (openSince !== undefined && performance.now() - openSince >= healthyMs) attempt = 0;
        if (!mayHelp || !wasOpen || attempt >= tries) throw error;
        const delayMs = (retryAfterMs(error) ?? 0) + Math.random() * Math.min(mostMs, firstMs * 2 ** attempt);
        this.#enter({ kind: "waiting", attempt, delayMs, error });
        await sleep(delayMs, signal);
        if (signal.aborted) throw streamFailure(method, -8, signal.reason);
        if (resume) this.#call = { ...this.#call, req: resume(first, last) };
      }
    }
  }

  /** Interceptors wrap each connection attempt. They do not see the items. */
  async #connect(): Promise<ReadableStream<Uint8Array>> {
    const { interceptor } = this.#call.client;
    const body = await (interceptor ? interceptor(this.#call, open) : open(this.#call));
    return body as ReadableStream<Uint8Array>;
  }

  #enter(state: StreamState): void {
    if (this.#state.kind === "closed") return;
    this.#state = state;
    this.#options.onState?.(state);
  }
}

/** Requests a response that is read while it arrives. */
function open(call: Call): Promise<unknown> {
  const { transport = fetch } = call.client;
  const streaming: Transport = (url, init) => transport(url, { ...init, stream: true });
  return send({ ...call, client: { ...call.client, transport: streaming } }, bodyOf);
}

async function bodyOf(method: MethodInfo, response: TransportResponse): Promise<ReadableStream<Uint8Array>> {
  if (response.status !== 200) await readResponse(method, response);
  if (response.body) return response.body;
  throw streamFailure(method, -5, "the response has no body, or the transport does not support streaming");
}
