import { checkOption, onAbort } from "./time.ts";
import { readBounded, type Transport, type TransportResponse } from "./transport.ts";

/**
 * A dispatcher of undici 7 or newer: an `Agent`, a `Pool`, a proxy or a mock. Declares only the parts that are used
 * here, because generated code does not import undici.
 */
export interface UndiciDispatcher {
  dispatch(options: DispatchOptions, handler: DispatchHandler): unknown;
}

interface DispatchOptions {
  origin: string;
  path: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "QUERY";
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

type UndiciHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Returns the first value of a header; null if it is missing. */
export function firstOf(value: string | string[] | undefined): string | null {
  return (typeof value === "object" ? value[0] : value) ?? null;
}

/** A request in flight. Aborts the connection when the caller's signal aborts. */
class DispatchedRequest {
  protected readonly maxBytes: number;
  protected readonly resolve: (response: TransportResponse) => void;
  protected readonly reject: (reason: unknown) => void;
  readonly #signal: AbortSignal | null;
  #connection: DispatchController | undefined;
  #forget = (): void => {};

  constructor(
    maxBytes: number,
    signal: AbortSignal | null,
    resolve: (response: TransportResponse) => void,
    reject: (reason: unknown) => void,
  ) {
    this.maxBytes = maxBytes;
    this.#signal = signal;
    this.resolve = resolve;
    this.reject = reject;
  }

  onRequestStart(controller: DispatchController): void {
    this.#connection = controller;
    this.#forget = onAbort(this.#signal, this.abort);
  }

  protected readonly abort = (): void => this.#connection?.abort(new Error("aborted"));

  /** Removes the listener, because a signal may be shared by many requests. */
  protected ended(): void {
    this.#forget();
  }
}

/** Bytes buffered before the connection is paused. */
const bufferedBytes = 64 * 1024;

/** A response that is read while it arrives. Reads from the connection only as fast as its consumer. */
class StreamedResponse extends DispatchedRequest implements DispatchHandler {
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;

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
    this.resolve({
      status,
      headers: { get: (name) => firstOf(headers[name]) },
      text: () => readBounded(body, this.maxBytes),
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
    if (this.#body === undefined) this.reject(error);
    else this.#body.error(error);
  }
}

/** Options of `undiciTransport`. */
export interface UndiciOptions {
  /** Largest response in bytes. A longer one is not read to its end and fails with error -5. Default: no limit. */
  readonly maxResponseBytes?: number;
}

/**
 * A transport for Node that costs a fraction of `fetch`: `undiciTransport(new Agent())` with
 * `import { Agent } from "undici"`. It uses undici's dispatcher, because `request` of undici would add a stream.
 *
 * @throws RangeError if `maxResponseBytes` is not a number from 0.
 */
export function undiciTransport(
  dispatcher: UndiciDispatcher,
  { maxResponseBytes = Number.POSITIVE_INFINITY }: UndiciOptions = {},
): Transport {
  checkOption("maxResponseBytes", maxResponseBytes);
  return (url, { method, headers, body, signal, stream }) =>
    new Promise((resolve, reject) => {
      // Skips "https://" and one letter of the host.
      const end = url.indexOf("/", 9);
      const Gatherer = stream ? StreamedResponse : BufferedResponse;
      const answer = new Gatherer(maxResponseBytes, signal, resolve, reject);
      // undici sends no body for an empty text.
      const sent = body instanceof FormData ? sentForm(headers, body) : { headers, body: body ?? "" };
      dispatcher.dispatch({ origin: url.slice(0, end), path: url.slice(end), method, ...sent }, answer);
    });
}

/** Encodes a form as `fetch` does, because undici accepts only its own FormData. */
function sentForm(
  headers: Record<string, string>,
  form: FormData,
): Pick<DispatchOptions, "headers" | "body"> {
  const encoded = new Response(form);
  const type = encoded.headers.get("content-type") ?? "";
  // undici accepts any iterable, but its types name only some.
  return { headers: { ...headers, "Content-Type": type }, body: encoded.body as never };
}

/** A response that is collected completely. */
class BufferedResponse extends DispatchedRequest implements DispatchHandler {
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;
  #status = 0;
  #headers: UndiciHeaders = {};

  onResponseStart(_controller: DispatchController, status: number, headers: UndiciHeaders): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(controller: DispatchController, chunk: Uint8Array): void {
    this.#bytes += chunk.byteLength;
    if (this.#bytes <= this.maxBytes) {
      this.#chunks.push(chunk);
      return;
    }
    this.#settle(`the response is larger than ${this.maxBytes} bytes: ${textOf(this.#chunks).slice(0, 100)}`);
    controller.abort(new Error("the response is too large"));
  }

  onResponseEnd(): void {
    this.#settle(textOf(this.#chunks));
  }

  onResponseError(_controller: DispatchController, error: Error): void {
    this.ended();
    this.reject(error);
  }

  #settle(text: string): void {
    this.ended();
    const headers = this.#headers;
    this.resolve({
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
