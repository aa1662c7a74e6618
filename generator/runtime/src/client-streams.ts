import {
  type Call,
  type CallOptions,
  type Client,
  type Failing,
  type FailureCode,
  type MethodInfo,
  type MethodTraits,
  readResponse,
  retryAfterMs,
  type Schema,
  send,
} from "./client.ts";
import { RpcError, type RpcErrorInit } from "./errors.ts";
import { streamLost } from "./protocol-error-table.ts";
import { callAfter, checkOption, onAbort, sleep } from "./time.ts";
import type { Transport, TransportResponse } from "./transport.ts";

/* Reads the items of one connection. */

/** How the items of a connection are read. */
interface ItemReaderOptions {
  readonly method: MethodInfo;
  /** A connection without any byte for this long counts as lost. 0: no limit. */
  readonly silenceMs: number;
  /** Longest item, in UTF-16 units. */
  readonly itemMaxLength: number;
  readonly signal: AbortSignal;
}

/**
 * Reads one item per line. Requests more bytes when the last ones are used up. Throws the `RpcError` that ended the
 * stream, or error -9 if the connection ended without one.
 */
export async function* readItems(
  body: ReadableStream<Uint8Array>,
  { method, silenceMs, itemMaxLength, signal }: ItemReaderOptions,
): AsyncGenerator<unknown, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const stop = (): void => void reader.cancel().catch(() => {});
  const checkLength = ({ length }: string): void => {
    if (length > itemMaxLength)
      throw streamFailure(method, -5, `an item is longer than ${itemMaxLength} characters`);
  };
  let rest = "";
  const forget = onAbort(signal, stop);
  try {
    for (;;) {
      let isSilent = false;
      const heard = callAfter(silenceMs || Infinity, undefined, () => {
        isSilent = true;
        stop();
      });
      const part = await reader
        .read()
        .catch((thrown) => {
          throw streamFailure(method, signal.aborted ? -8 : -9, thrown?.cause ?? thrown);
        })
        .finally(heard);
      if (signal.aborted) throw streamFailure(method, -8, signal.reason);
      if (isSilent) throw streamFailure(method, -9, `no data for ${silenceMs} ms`);
      if (part.done) {
        if (rest) throw streamFailure(method, -9, "the stream ended within an item");
        return;
      }
      const text = decoder.decode(part.value, { stream: true });
      let from = 0;
      for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
        const line = rest + text.slice(from, end);
        checkLength(line);
        rest = "";
        from = end + 1;
        if (line.trim()) yield readItem(line, method);
      }
      rest += text.slice(from);
      checkLength(rest);
    }
  } finally {
    forget();
    stop();
  }
}

/** Returns the item, or a promise that rejects with the error that the server sent. */
function readItem(line: string, method: MethodInfo): unknown {
  let mismatch: unknown;
  try {
    const value = (method.parse ?? JSON.parse)(line) as Item;
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      if (value.webrpcError) return readResponse(method, responseOf(value.webrpcError, line));
      return method.decode ? method.decode(value) : value;
    }
  } catch (thrown) {
    // Not JSON, or a value that does not match its type. The latter carries its path.
    mismatch = thrown;
  }
  throw streamFailure(method, -5, line.slice(0, 200), mismatch);
}

interface Item {
  readonly webrpcError?: { readonly status?: unknown };
}

/** Converts an error within a stream to an error response. */
function responseOf(
  envelope: NonNullable<Item["webrpcError"]>,
  line: string,
): Pick<TransportResponse, "status" | "headers" | "text"> {
  const status = Number(envelope.status);
  return {
    status: status >= 300 ? status : 400,
    headers: { get: () => null },
    // The text itself, because parsed 64-bit integers are bigints.
    text: async () => /"webrpcError"\s*:(.*)\}/.exec(line)?.[1] ?? "",
  };
}

/** Creates an error that the client itself raises for a stream. */
function streamFailure(method: MethodInfo, code: FailureCode, cause: unknown, mismatch?: unknown): RpcError {
  const { [code]: info = streamLost } = method.schema.failures;
  return new RpcError({ ...info, cause: `${cause}`, ...(mismatch as Partial<RpcErrorInit>) });
}

/* A stream on the client. It connects when it is first read, and reconnects when the connection is lost. */

/**
 * The items of a stream: `for await (const item of watch(client, req))`. Reading slowly slows the server down. Leaving
 * the loop ends the stream. It can be read once.
 */
export interface Stream<Item, Failure extends RpcError>
  extends AsyncIterableIterator<Item, undefined, undefined>,
    Failing<Failure> {
  readonly state: StreamState;
  readonly next: () => Promise<IteratorResult<Item, undefined>>;
  /** Ends the stream. A pending `next()` resolves without an item. */
  readonly return: () => Promise<IteratorResult<Item, undefined>>;
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

/**
 * The delay before a reconnect: random, up to `firstMs`, doubled for each further attempt up to `mostMs`. If the server sent
 * Retry-After, that time comes before it, however long.
 */
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
class IncomingStream implements AsyncIterableIterator<unknown, undefined, undefined> {
  readonly #options: StreamOptions;
  readonly #reconnect: Required<Reconnect>;
  readonly #limits: Pick<ItemReaderOptions, "silenceMs" | "itemMaxLength">;
  readonly #controller = new AbortController();
  readonly #items: AsyncGenerator<unknown, undefined, undefined>;
  #call: Call;
  #state: StreamState = { kind: "idle" };
  #isReturned = false;

  constructor(call: Call, options: StreamOptions) {
    const { silenceMs = 25_000, itemMaxLength = 2 ** 24, reconnect = true } = options;
    const own: Reconnect = reconnect === true ? {} : reconnect || { tries: 0 };
    const { tries = 10, firstMs = 500, mostMs = 30_000 } = own;
    this.#options = options;
    this.#limits = { silenceMs, itemMaxLength };
    this.#reconnect = { tries, firstMs, mostMs };
    for (const [name, value] of Object.entries({ ...this.#limits, ...this.#reconnect }))
      checkOption(name, value);
    this.#call = { ...call, signal: this.#controller.signal };
    this.#items = this.#read();
  }

  get state(): StreamState {
    return this.#state;
  }

  readonly next = (): Promise<IteratorResult<unknown, undefined>> => this.#items.next();

  readonly return = async (): Promise<IteratorResult<unknown, undefined>> => {
    this.#isReturned = true;
    this.#controller.abort("left");
    await this.#items.return(undefined);
    this.#enter({ kind: "closed" });
    return { done: true, value: undefined };
  };

  [Symbol.asyncIterator](): this {
    return this;
  }

  async *#read(): AsyncGenerator<unknown, undefined, undefined> {
    const { signal } = this.#options;
    const forget = onAbort(signal, () => this.#controller.abort(signal?.reason));
    try {
      yield* this.#readAll();
      this.#enter({ kind: "closed" });
    } catch (error) {
      if (this.#isReturned) return undefined;
      this.#enter({ kind: "closed", ...(error instanceof RpcError && { error }) });
      throw error;
    } finally {
      forget();
    }
    return undefined;
  }

  /** Reads all connections of the stream in sequence. */
  async *#readAll(): AsyncGenerator<unknown, void, undefined> {
    const { resume } = this.#options;
    const { tries, firstMs, mostMs } = this.#reconnect;
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
        for await (const item of readItems(body, { ...this.#limits, method, signal })) {
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
        const delayMs =
          (retryAfterMs(error) ?? 0) + Math.random() * Math.min(mostMs, firstMs * 2 ** Math.min(attempt, 30));
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

/* Streams with callbacks instead of `for await`. */

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
  readonly abort: (reason?: unknown) => void;
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

/* Methods that stream their response. */

/** Calls a method that streams: `for await (const item of watch(client, { filter }))`. */
export interface StreamMethod<Req, Item, Err extends RpcError> {
  (client: Client, req: Req, options?: StreamOptions<Req, Item>): Stream<Item, Err>;
  readonly info: MethodInfo;
}

/** Calls a method that streams and whose request has no fields: `watch(client)`. */
export interface EmptyRequestStreamMethod<Req, Item, Err extends RpcError> {
  (client: Client, req?: Req, options?: StreamOptions<Req, Item>): Stream<Item, Err>;
  readonly info: MethodInfo;
}

/** Creates the function of a method that streams, which has the type `Called`. */
export function streamMethod<Called>(
  schema: Schema,
  service: string,
  name: string,
  traits?: MethodTraits,
): Called {
  const info: MethodInfo = { ...traits, schema, service, name };
  function run(client: Client, req?: unknown, options: StreamOptions = {}): IncomingStream {
    const timeoutMs = options.timeoutMs ?? client.timeoutMs ?? 30_000;
    return new IncomingStream({ ...options, client, method: info, req: req ?? {}, timeoutMs }, options);
  }
  run.info = info;
  return run as never;
}

/* Methods with `@resume`: streams that continue after the last item that was read. */

/** A stream that continues after the last item that was read. The option `resume` takes precedence. */
export interface ResumableMethod<Req, Item, Err extends RpcError> extends StreamMethod<Req, Item, Err> {
  readonly resumes: true;
}

/** Creates the requests that continue a stream. */
interface Resume<Req, Item> {
  readonly after: (req: Req, item: Item) => Req;
  /** `position` is where the server started, as its header `Stream-Position` reports. */
  readonly start: (req: Req, position: string) => Req;
}

/** Adds the requests that continue a stream to a new method. */
export function resumable<Req, Item, Err extends RpcError>(
  method: StreamMethod<Req, Item, Err>,
  { after, start }: Resume<Req, Item>,
): ResumableMethod<Req, Item, Err> {
  const run: StreamMethod<Req, Item, Err> = Object.assign(
    (client: Client, req: Req, options?: StreamOptions<Req, Item>) => {
      if (options?.resume !== undefined) return method(client, req, options);
      const { transport = fetch } = client;
      // Items may be published between a connection and its first item. The position closes this gap.
      let position: string | null = null;
      const noting: Transport = async (url, init) => {
        const response = await transport(url, init);
        position ??= response.headers.get("stream-position");
        return response;
      };
      const resume = (first: Req, last: Item | undefined): Req =>
        last !== undefined ? after(first, last) : position !== null ? start(first, position) : first;
      return method({ ...client, transport: noting }, req, { ...options, resume });
    },
    { info: method.info },
  );
  return Object.assign(run, { resumes: true as const });
}
