/** Reads a document from an address that others have named, bounded in bytes, in time and in redirects. */
import type { Dispatcher } from "undici";

export interface DocumentRequest {
  readonly url: string;
  /** For all of it, from the name to the last byte, redirects included, in milliseconds. */
  readonly maxMs: number;
  readonly maxBytes: number;
  readonly maxRedirects: number;
  /** The header Accept. */
  readonly accept: string;
  readonly signal?: AbortSignal | undefined;
}

/** What came. A status that is no 2xx comes with an empty body. */
export interface Document {
  readonly status: number;
  /** The header Content-Type without its parameters, lower case; empty: none. */
  readonly mediaType: string;
  readonly body: Buffer;
}

/** The answer is not one that is read. The message is meant for whoever named the address. */
export class DocumentFault extends Error {
  override readonly name = "DocumentFault";
}

export interface GetResult {
  readonly status: number;
  readonly location: string | undefined;
  readonly mediaType: string;
  readonly body: Buffer;
}

export interface GetRequest {
  readonly origin: string;
  readonly path: string;
  readonly accept: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** One request. Rejects with whatever the client threw, a DocumentFault, or an error named `TimeoutError`. */
export function getOnce(
  dispatcher: Dispatcher,
  { origin, path, accept, maxBytes, signal }: GetRequest,
): Promise<GetResult> {
  return new Promise((resolve, reject) => {
    const reader = new DocumentReader(maxBytes, signal, resolve, reject);
    // What is compressed is as long as its sender says when it is unpacked.
    const headers = { accept, "accept-encoding": "identity", "user-agent": "ridlkit" };
    dispatcher.dispatch({ origin, path, method: "GET", headers, headersTimeout: 0, bodyTimeout: 0 }, reader);
  });
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

class DocumentReader implements Dispatcher.DispatchHandler {
  readonly #maxBytes: number;
  readonly #signal: AbortSignal;
  readonly #resolve: (getOnce: GetResult) => void;
  readonly #reject: (err: unknown) => void;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #head: Omit<GetResult, "body"> | undefined;
  #bytes = 0;

  constructor(
    maxBytes: number,
    signal: AbortSignal,
    resolve: (getOnce: GetResult) => void,
    reject: (err: unknown) => void,
  ) {
    this.#maxBytes = maxBytes;
    this.#signal = signal;
    this.#resolve = resolve;
    this.#reject = reject;
    signal.addEventListener("abort", this.#stop);
    if (signal.aborted) this.#stop();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#signal.aborted) this.#stop();
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status < 200) return;
    const [location, type, encoding] = ["location", "content-type", "content-encoding"].map((name) =>
      firstOf(headers[name]),
    );
    this.#head = { status, location, mediaType: (type ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "" };
    // Nobody reads what stands there.
    if (status >= 300) this.#end(controller);
    else if (encoding !== undefined && encoding !== "identity")
      this.#fail(new DocumentFault("the answer is compressed, which was not asked for"));
    else if (Number(firstOf(headers["content-length"]) ?? 0) > this.#maxBytes) this.#tooLong();
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#maxBytes) this.#tooLong();
    // The client may use its memory again.
    else this.#chunks.push(Buffer.from(chunk));
  }

  onResponseEnd(): void {
    this.#done();
  }

  onResponseError(_: unknown, err: unknown): void {
    this.#signal.removeEventListener("abort", this.#stop);
    this.#reject(err);
  }

  #end(controller: Dispatcher.DispatchController): void {
    this.#chunks.length = 0;
    this.#done();
    controller.abort(new DocumentFault("no body is read"));
  }

  #done(): void {
    this.#signal.removeEventListener("abort", this.#stop);
    if (this.#head !== undefined) this.#resolve({ ...this.#head, body: Buffer.concat(this.#chunks) });
  }

  #tooLong(): void {
    this.#fail(new DocumentFault(`the answer is longer than ${this.#maxBytes} bytes`));
  }

  #fail(err: Error): void {
    this.#signal.removeEventListener("abort", this.#stop);
    this.#chunks.length = 0;
    this.#reject(err);
    this.#controller?.abort(err);
  }

  readonly #stop = (): void => this.#fail(new DOMException("no answer in time", "TimeoutError"));
}

function firstOf(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === "string" ? value : value?.[0];
}
