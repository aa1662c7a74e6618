import { readBounded, type Transport, type TransportResponse } from "./client.ts";

/**
 * A dispatcher of undici 7 or newer, as far as it is used here: nothing of undici is imported. An `Agent`, a `Pool`, a proxy, a mock.
 */
export interface UndiciDispatcher {
  dispatch(options: DispatchOptions, handler: DispatchHandler): unknown;
}

export interface DispatchOptions {
  origin: string;
  path: string;
  method: "POST";
  headers: Record<string, string>;
  body: string;
}

export interface DispatchController {
  abort(reason: Error): void;
  pause(): void;
  resume(): void;
}

export interface DispatchHandler {
  onRequestStart(controller: DispatchController, context: unknown): void;
  onResponseStart(controller: DispatchController, statusCode: number, headers: UndiciHeaders): void;
  onResponseData(controller: DispatchController, chunk: Uint8Array): void;
  onResponseEnd(controller: DispatchController, trailers: unknown): void;
  onResponseError(controller: DispatchController, error: Error): void;
}

export type UndiciHeaders = Readonly<Record<string, string | string[] | undefined>>;

export function firstOf(value: string | string[] | undefined): string | null {
  return (typeof value === "object" ? value[0] : value) ?? null;
}

/** One request on its way: what hears of it, until it has ended or its caller has gone. */
export class Dispatched {
  readonly #signal: AbortSignal | null;
  #connection: DispatchController | undefined;

  constructor(signal: AbortSignal | null) {
    this.#signal = signal;
  }

  onRequestStart(controller: DispatchController): void {
    this.#connection = controller;
    if (this.#signal?.aborted) this.abort();
    else this.#signal?.addEventListener("abort", this.abort);
  }

  protected readonly abort = (): void => this.#connection?.abort(new Error("aborted"));

  /** A signal may be used for many requests: it keeps none that has ended. */
  protected ended(): void {
    this.#signal?.removeEventListener("abort", this.abort);
  }
}

/** Bytes that wait for a reader before the connection is paused. */
const bufferedBytes = 64 * 1024;

/** Gives an answer as it comes; reads from the connection as fast as it is read itself. */
export class StreamedAnswer extends Dispatched implements DispatchHandler {
  readonly #maxBytes: number;
  readonly #resolve: (response: TransportResponse) => void;
  readonly #reject: (reason: unknown) => void;
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor(
    maxBytes: number,
    signal: AbortSignal | null,
    resolve: (response: TransportResponse) => void,
    reject: (reason: unknown) => void,
  ) {
    super(signal);
    this.#maxBytes = maxBytes;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  onResponseStart(controller: DispatchController, status: number, headers: UndiciHeaders): void {
    const body = new ReadableStream<Uint8Array>(
      {
        start: (own) => {
          this.#body = own;
        },
        pull: () => controller.resume(),
        cancel: this.abort,
      },
      new ByteLengthQueuingStrategy({ highWaterMark: bufferedBytes }),
    );
    this.#resolve({
      status,
      headers: { get: (name) => firstOf(headers[name]) },
      text: () => readBounded(body, this.#maxBytes),
      body,
    });
  }

  onResponseData(controller: DispatchController, chunk: Uint8Array): void {
    this.#body?.enqueue(chunk);
    if ((this.#body?.desiredSize ?? 1) <= 0) controller.pause();
  }

  onResponseEnd(): void {
    this.ended();
    this.#body?.close();
  }

  onResponseError(_controller: DispatchController, error: Error): void {
    this.ended();
    if (this.#body === undefined) this.#reject(error);
    else this.#body.error(error);
  }
}

export interface UndiciOptions {
  /** A longer answer is not read to its end and fails with -5. Default: none. */
  readonly maxResponseBytes?: number;
}

/**
 * For Node, at a fraction of what `fetch` costs there: `undiciTransport(new Agent())` with `import { Agent } from "undici"`. It
 * takes the answer from the dispatcher itself: `request` of undici would put a stream around it.
 */
export function undiciTransport(
  dispatcher: UndiciDispatcher,
  { maxResponseBytes = Number.POSITIVE_INFINITY }: UndiciOptions = {},
): Transport {
  return (url, { method, headers, body, signal, stream }) =>
    new Promise((resolve, reject) => {
      // After "https://" and one letter of a host.
      const end = url.indexOf("/", 9);
      const Gatherer = stream ? StreamedAnswer : Answer;
      const answer = new Gatherer(maxResponseBytes, signal, resolve, reject);
      const sent = typeof body === "string" ? { headers, body } : sentForm(headers, body);
      dispatcher.dispatch({ origin: url.slice(0, end), path: url.slice(end), method, ...sent }, answer);
    });
}

/** A form in the bytes that `fetch` makes of it: undici knows only forms of its own. */
function sentForm(
  headers: Record<string, string>,
  form: FormData,
): Pick<DispatchOptions, "headers" | "body"> {
  const encoded = new Response(form);
  const type = encoded.headers.get("content-type") ?? "";
  // It takes anything that can be iterated; its types name only some.
  return { headers: { ...headers, "Content-Type": type }, body: encoded.body as never };
}

/** Gathers one answer. */
class Answer extends Dispatched implements DispatchHandler {
  readonly #maxBytes: number;
  readonly #resolve: (response: TransportResponse) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;
  #status = 0;
  #headers: UndiciHeaders = {};

  constructor(
    maxBytes: number,
    signal: AbortSignal | null,
    resolve: (response: TransportResponse) => void,
    reject: (reason: unknown) => void,
  ) {
    super(signal);
    this.#maxBytes = maxBytes;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  onResponseStart(_controller: DispatchController, status: number, headers: UndiciHeaders): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(controller: DispatchController, chunk: Uint8Array): void {
    this.#bytes += chunk.byteLength;
    if (this.#bytes <= this.#maxBytes) {
      this.#chunks.push(chunk);
      return;
    }
    this.#settle(`more than ${this.#maxBytes} bytes: ${textOf(this.#chunks).slice(0, 100)}`);
    controller.abort(new Error("more bytes than allowed"));
  }

  onResponseEnd(): void {
    this.#settle(textOf(this.#chunks));
  }

  onResponseError(_controller: DispatchController, error: Error): void {
    this.ended();
    this.#reject(error);
  }

  #settle(text: string): void {
    this.ended();
    const headers = this.#headers;
    this.#resolve({
      status: this.#status,
      headers: { get: (name) => firstOf(headers[name]) },
      text: async () => text,
    });
  }
}

const utf8 = new TextDecoder();

function textOf(chunks: readonly Uint8Array[]): string {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return utf8.decode(only);
  const decoder = new TextDecoder();
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("") + decoder.decode();
}
