/** A file as an answer. */

/** What a handler answers with a file: a `Blob` as `openAsBlob(path, { type })` of `node:fs` gives it, or bytes and what they are. */
export type FileReply = Blob | FileBytes;

export interface FileBytes {
  /** Asked for a chunk when there is room for it. Streams of Node are such iterables. */
  readonly body: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array> | Uint8Array;
  /** Media type. Default `application/octet-stream`. */
  readonly type?: string;
  /** What it is called where it is saved. */
  readonly name?: string;
  /** In bytes, if it is known. A body of another size cuts the connection. */
  readonly size?: number;
  /**
   * Whether browsers show the file or save it. Default `inline` for images, sound, video, plain text, CSV, JSON and PDF, and
   * `attachment` for all other types: HTML, SVG and XML would run scripts of whoever wrote the file in the server's origin.
   */
  readonly disposition?: "inline" | "attachment";
}

/** A file on its way: its bytes, and a call when they are out or nobody wants them. */
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
        throw new RangeError(`a file of ${size} bytes has ${done === true ? this.#sent : "more"}`);
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

  /** The caller has gone. */
  cancel(): void {
    this.#end(undefined, false);
  }

  #end(failure: Error | undefined, isWhole: boolean): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    // What a handler's iterator throws while it is sent home has nobody left to hear it.
    (async () => this.#chunks.return?.())().catch(() => {});
    this.#onEnd(failure, isWhole);
  }
}

/** Whether a handler has answered a file at all. */
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
  // Not every platform iterates its streams.
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

/** RFC 6266: plain letters for all, and the name itself for those who read UTF-8. */
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
