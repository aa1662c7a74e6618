import type { Dispatcher } from "undici";

/** A call for the HTTP client. The URL is split once, not for every call. */
export interface OutboundCall {
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Time until the response headers, in milliseconds. */
  readonly maxMs: number;
}

export interface OutboundResponse {
  readonly status: number;
  /** The header Retry-After, as sent. */
  readonly retryAfter: string | undefined;
}

/**
 * How much of a response body is read before the connection is closed, in bytes and milliseconds. Reading a short body keeps the
 * connection usable.
 */
const bodyMaxBytes = 65_536;
const bodyMaxMs = 1_000;

/** Posts, and ignores the body of the response. Rejects with the client's error, or an error named `TimeoutError`. */
export function postOnce(
  dispatcher: Dispatcher,
  { origin, path, headers, body, maxMs }: OutboundCall,
): Promise<OutboundResponse> {
  return new Promise((resolve, reject) => {
    const handler = new ResponseReader(maxMs, resolve, reject);
    // The client's own timeouts are coarse, and do not count the time before the first byte is sent.
    const limits = { headersTimeout: 0, bodyTimeout: 0 };
    dispatcher.dispatch({ origin, path, method: "POST", headers, body, ...limits }, handler);
  });
}

class ResponseReader implements Dispatcher.DispatchHandler {
  readonly #resolve: (response: OutboundResponse) => void;
  readonly #reject: (err: unknown) => void;
  #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #response: OutboundResponse | undefined;
  #bytes = 0;
  #isLate = false;

  constructor(maxMs: number, resolve: (response: OutboundResponse) => void, reject: (err: unknown) => void) {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#timer = setTimeout(() => {
      this.#isLate = true;
      this.#abort();
      reject(timeout());
    }, maxMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The timeout passed while connecting.
    if (this.#isLate) this.#abort();
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  ): void {
    // Informational responses (RFC 9110, section 15.2).
    if (status < 200) return;
    const retryAfter = headers["retry-after"];
    this.#response = { status, retryAfter: typeof retryAfter === "string" ? retryAfter : undefined };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#abort(), bodyMaxMs);
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    if (this.#bytes > bodyMaxBytes) this.#abort();
  }

  onResponseEnd(): void {
    this.#end(undefined);
  }

  onResponseError(_: unknown, err: unknown): void {
    this.#end(err);
  }

  /** A response counts once its headers arrived, however its body ended. */
  #end(err: unknown): void {
    clearTimeout(this.#timer);
    if (this.#response === undefined) this.#reject(err);
    else this.#resolve(this.#response);
  }

  #abort(): void {
    this.#controller?.abort(timeout());
  }
}

function timeout(): Error {
  return new DOMException("no response in time", "TimeoutError");
}
