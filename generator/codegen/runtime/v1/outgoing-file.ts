/** Files as responses. */

/**
 * A file that a handler returns: a `Blob`, for example from `openAsBlob(path, { type })` of `node:fs`, or bytes with
 * their media type.
 */
export type FileReply = Blob | FileBytes;

/** The bytes of a file, with its name and media type. */
export interface FileBytes {
  /** The content. Chunks are requested when the connection has room. Node's streams are async iterables. */
  readonly body: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array> | Uint8Array;
  /** Media type. Default `application/octet-stream`. */
  readonly type?: string;
  /** File name for saving. */
  readonly name?: string;
  /** In bytes, if known. If the body has another size, the connection is cut. */
  readonly size?: number;
  /**
   * Whether browsers show or save the file. Default `inline` for images, audio, video, plain text, CSV, JSON and PDF,
   * `attachment` for all other types: HTML, SVG and XML could run scripts of the file's author in the server's origin.
   */
  readonly disposition?: "inline" | "attachment";
}

/** A file that is being sent. Reports when all bytes are sent or the caller has disconnected. */
export class OutgoingFile implements AsyncIterableIterator<Uint8Array> {
  readonly headers: Readonly<Record<string, string>>;
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #size: number | undefined;
  readonly #onEnd: (failure: Error | undefined, isWhole: boolean) => void;
  #sent = 0;
  #hasEnded = false;

  /** `onEnd` is called once. */
  constructor(reply: FileReply, onEnd: (failure: Error | undefined, isWhole: boolean) => void) {
    const file = reply instanceof Blob ? ofBlob(reply) : reply;
    this.#chunks = chunksOf(file.body);
    this.#size = file.size ?? (file.body instanceof Uint8Array ? file.body.byteLength : undefined);
    this.#onEnd = onEnd;
    this.headers = {
      "Content-Type": typeOf(file),
      ...(this.#size !== undefined && { "Content-Length": String(this.#size) }),
      "Content-Disposition": dispositionOf(file),
      "X-Content-Type-Options": "nosniff",
    };
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (this.#hasEnded) return { done: true, value: undefined };
    try {
      const { done, value } = await this.#chunks.next();
      if (this.#hasEnded) return { done: true, value: undefined };
      if (done !== true) this.#sent += value.byteLength;
      const size = this.#size ?? this.#sent;
      if (this.#sent > size || (done === true && this.#sent < size)) {
        throw new RangeError(`a file of ${size} bytes has ${done === true ? `only ${this.#sent}` : "more"}`);
      }
      if (done !== true) return { done: false, value };
    } catch (thrown) {
      const failure = thrown instanceof Error ? thrown : new Error(`${thrown}`);
      this.#end(failure, true);
      throw failure;
    }
    this.#end(undefined, true);
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.cancel();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Stops sending because the caller has disconnected. */
  cancel(): void {
    this.#end(undefined, false);
  }

  #end(failure: Error | undefined, isWhole: boolean): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    // Errors while the handler's iterator is closed cannot be reported to a caller.
    (async () => this.#chunks.return?.())().catch(() => {});
    this.#onEnd(failure, isWhole);
  }
}

/** Whether a handler returned a file. */
export function isFileReply(value: unknown): value is FileReply {
  if (value instanceof Blob) return true;
  if (typeof value !== "object" || value === null || !("body" in value)) return false;
  const { body } = value;
  return typeof body === "object" && body !== null && (body instanceof Uint8Array || isStream(body));
}

function isStream(body: object): boolean {
  return Symbol.asyncIterator in body || body instanceof ReadableStream;
}

function ofBlob(blob: Blob): FileBytes {
  const name = "name" in blob && typeof blob.name === "string" ? { name: blob.name } : {};
  return { body: blob.stream(), type: blob.type, size: blob.size, ...name };
}

function chunksOf(body: FileBytes["body"]): AsyncIterator<Uint8Array> {
  if (body instanceof Uint8Array) return [body].values() as unknown as AsyncIterator<Uint8Array>;
  // Not every platform supports async iteration of ReadableStream.
  if (!(body instanceof ReadableStream)) return body[Symbol.asyncIterator]();
  const reader = body.getReader();
  return {
    next: () => reader.read() as Promise<IteratorResult<Uint8Array>>,
    return: async () => {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
}

function typeOf({ type = "" }: FileBytes): string {
  return /^[\w.+-]+\/[\w.+-]+(;[\t\x20-\x7e]*)?$/.test(type) ? type : "application/octet-stream";
}

const loneSurrogate = /\p{Surrogate}/gu;

/** Types that browsers show without running scripts. */
const shownTypes =
  /^(image\/(?!svg)[\w.+-]+|(audio|video)\/[\w.+-]+|text\/(plain|csv)|application\/(json|pdf|octet-stream))\s*(;|$)/i;

function dispositionOf(file: FileBytes): string {
  const { name, disposition = shownTypes.test(typeOf(file)) ? "inline" : "attachment" } = file;
  if (name === undefined || name === "") return disposition;
  const plain = name.replace(/[^\x20-\x7e]|["\\/%]/g, "_");
  const whole = encodeURIComponent(name.replace(loneSurrogate, "_")).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${disposition}; filename="${plain}"${plain === name ? "" : `; filename*=UTF-8''${whole}`}`;
}
