/** Reads a document from a URL that others have chosen, with limits on bytes, time and redirects. */
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, inflateRaw, type ZlibOptions } from "node:zlib";
import type { Dispatcher } from "undici";

export interface DocumentRequest {
  readonly url: string;
  /** Time for the whole read, from DNS to the last byte, redirects included, in milliseconds. */
  readonly maxMs: number;
  readonly maxBytes: number;
  readonly maxRedirects: number;
  readonly accept: string;
  readonly signal?: AbortSignal | undefined;
}

/** A response. The body is empty unless the status is 2xx. */
export interface Document {
  readonly status: number;
  /** The header Content-Type in lower case, without parameters; empty if missing. */
  readonly mediaType: string;
  readonly body: Buffer;
}

/** The response cannot be used. The message is for the person who chose the URL. */
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

/** Sends one request. Rejects with the client's error, a DocumentFault, or an error named `TimeoutError`. */
export function getOnce(
  dispatcher: Dispatcher,
  { origin, path, accept, maxBytes, signal }: GetRequest,
): Promise<GetResult> {
  return new Promise((resolve, reject) => {
    const reader = new DocumentReader(maxBytes, signal, resolve, reject);
    const headers = { accept, "accept-encoding": "identity", "user-agent": "ridlkit" };
    dispatcher.dispatch({ origin, path, method: "GET", headers, headersTimeout: 0, bodyTimeout: 0 }, reader);
  });
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

class DocumentReader implements Dispatcher.DispatchHandler {
  readonly #maxBytes: number;
  readonly #signal: AbortSignal;
  readonly #resolve: (result: GetResult) => void;
  readonly #reject: (err: unknown) => void;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #head: Omit<GetResult, "body"> | undefined;
  #encodings: readonly string[] = [];
  #bytes = 0;

  constructor(
    maxBytes: number,
    signal: AbortSignal,
    resolve: (result: GetResult) => void,
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
    this.#encodings = (encoding ?? "")
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((each) => each !== "" && each !== "identity");
    // Bodies of redirects and errors are not needed.
    if (status >= 300) this.#end(controller);
    else if (Number(firstOf(headers["content-length"]) ?? 0) > this.#maxBytes) this.#tooLong();
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#maxBytes) this.#tooLong();
    // Copied, because the client reuses its buffer.
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
    controller.abort(new DocumentFault("the body is not read"));
  }

  #done(): void {
    this.#signal.removeEventListener("abort", this.#stop);
    if (this.#head === undefined) return;
    const head = this.#head;
    const body = Buffer.concat(this.#chunks);
    // Without waiting: the response of a redirect is aborted next.
    if (body.length === 0) this.#resolve({ ...head, body });
    else
      decompress(body, this.#encodings, this.#maxBytes).then(
        (bytes) => this.#resolve({ ...head, body: bytes }),
        this.#reject,
      );
  }

  #tooLong(): void {
    this.#fail(new DocumentFault(`the response is longer than ${this.#maxBytes} bytes`));
  }

  #fail(err: Error): void {
    this.#signal.removeEventListener("abort", this.#stop);
    this.#chunks.length = 0;
    this.#reject(err);
    this.#controller?.abort(err);
  }

  readonly #stop = (): void => this.#fail(new DOMException("no response in time", "TimeoutError"));
}

const decompressors: Readonly<Record<string, (body: Buffer, options: ZlibOptions) => Promise<Buffer>>> = {
  gzip: promisify<Buffer, ZlibOptions, Buffer>(gunzip),
  "x-gzip": promisify<Buffer, ZlibOptions, Buffer>(gunzip),
  // Some servers send deflate without the header of zlib.
  deflate: (body, options) =>
    ((body[0] ?? 0) & 0x0f) === 8
      ? promisify<Buffer, ZlibOptions, Buffer>(inflate)(body, options)
      : promisify<Buffer, ZlibOptions, Buffer>(inflateRaw)(body, options),
  br: promisify<Buffer, ZlibOptions, Buffer>(brotliDecompress),
};

/** Most encodings of one response. Each takes time, and servers use one. */
const maxEncodings = 2;

/** Servers may ignore that the request accepts no encoding (RFC 9110, section 12.5.3). Throws DocumentFault. */
async function decompress(body: Buffer, encodings: readonly string[], maxBytes: number): Promise<Buffer> {
  if (encodings.length > maxEncodings)
    throw new DocumentFault(`the response has more than ${maxEncodings} encodings`);
  let bytes = body;
  for (const encoding of encodings.toReversed()) {
    const decompressOne = Object.hasOwn(decompressors, encoding) ? decompressors[encoding] : undefined;
    if (decompressOne === undefined)
      throw new DocumentFault(`the response is compressed with "${encoding.slice(0, 20)}"`);
    try {
      bytes = await decompressOne(bytes, { maxOutputLength: maxBytes });
    } catch (err) {
      const isTooLong = err instanceof RangeError;
      throw new DocumentFault(
        isTooLong ? `the response is longer than ${maxBytes} bytes` : `the response is not valid ${encoding}`,
      );
    }
  }
  return bytes;
}

function firstOf(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === "string" ? value : value?.[0];
}
