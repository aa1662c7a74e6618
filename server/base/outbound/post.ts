import type { Dispatcher } from "undici";

/** One call, as the client wants it: the URL is taken apart once and not for every call. */
export interface OutboundCall {
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Until the headers of the answer, in milliseconds. */
  readonly maxMs: number;
}

export interface OutboundResponse {
  readonly status: number;
  /** The header Retry-After, as sent. */
  readonly retryAfter: string | undefined;
}

/** What is read of an answer's body before its connection is closed, in bytes and milliseconds: a short one saves the next call a connection. */
const bodyMaxBytes = 65_536;
const bodyMaxMs = 1_000;

/** Posts, and drops what the body of the answer says. Rejects with whatever the client threw, or an error named `TimeoutError`. */
export function postOnce(
  dispatcher: Dispatcher,
  { origin, path, headers, body, maxMs }: OutboundCall,
): Promise<OutboundResponse> {
  return new Promise((resolve, reject) => {
    const handler = new ResponseReader(maxMs, resolve, reject);
    // Its own limits are coarse, and do not count what comes before the first byte is sent.
    const limits = { headersTimeout: 0, bodyTimeout: 0 };
    dispatcher.dispatch({ origin, path, method: "POST", headers, body, ...limits }, handler);
  });
}

class ResponseReader implements Dispatcher.DispatchHandler {
  readonly #resolve: (answer: OutboundResponse) => void;
  readonly #reject: (err: unknown) => void;
  #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #answer: OutboundResponse | undefined;
  #bytes = 0;
  #isLate = false;

  constructor(maxMs: number, resolve: (answer: OutboundResponse) => void, reject: (err: unknown) => void) {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#timer = setTimeout(() => {
      this.#isLate = true;
      this.#hangUp();
      reject(timeout());
    }, maxMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The connection took too long.
    if (this.#isLate) this.#hangUp();
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  ): void {
    // What comes before the answer (RFC 9110, section 15.2).
    if (status < 200) return;
    const retryAfter = headers["retry-after"];
    this.#answer = { status, retryAfter: typeof retryAfter === "string" ? retryAfter : undefined };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#hangUp(), bodyMaxMs);
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    if (this.#bytes > bodyMaxBytes) this.#hangUp();
  }

  onResponseEnd(): void {
    this.#end(undefined);
  }

  onResponseError(_: unknown, err: unknown): void {
    this.#end(err);
  }

  /** Who has sent its headers has answered, however its body ended. */
  #end(err: unknown): void {
    clearTimeout(this.#timer);
    if (this.#answer === undefined) this.#reject(err);
    else this.#resolve(this.#answer);
  }

  #hangUp(): void {
    this.#controller?.abort(timeout());
  }
}

function timeout(): Error {
  return new DOMException("no answer in time", "TimeoutError");
}
