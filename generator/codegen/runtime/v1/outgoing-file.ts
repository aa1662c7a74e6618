/** Files as responses. */
import type { OutgoingBody, Sink } from "./outgoing-body.ts";

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

/** A file that is being sent. Requests a chunk when the connection has room for it. */
export class OutgoingFile implements OutgoingBody {
  readonly headers: Readonly<Record<string, string>>;
  readonly #body: FileBytes["body"];
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #size: number | undefined;
  readonly #onEnd: (failure: Error | undefined, isWritable: boolean) => void;
  #hasEnded = false;
  /** Resumes the loop that waits for room. */
  #wake: (() => void) | undefined;

  /**
   * `onEnd` is called once. `failure` is undefined if all bytes were sent. `isWritable` is false if the caller had
   * disconnected.
   */
  constructor(reply: FileReply, onEnd: (failure: Error | undefined, isWritable: boolean) => void) {
    const file = reply instanceof Blob ? ofBlob(reply) : reply;
    this.#body = file.body;
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

  open(sink: Sink): void {
    if (this.#hasEnded) {
      sink.destroy();
      return;
    }
    this.#send(sink).then(
      () => {
        if (this.#hasEnded) return;
        sink.end();
        this.#end(undefined, true);
      },
      (thrown: unknown) => {
        if (this.#hasEnded) return;
        // The head leaves first, so that the caller sees an incomplete file and not a failed call.
        setTimeout(() => sink.destroy(), 0);
        this.#end(thrown instanceof Error ? thrown : new Error(`${thrown}`), true);
      },
    );
  }

  resume(): void {
    this.#wake?.();
  }

  cancel(): void {
    this.#end(undefined, false);
  }

  /** Rejects if the file fails, or does not have the size that its head states. */
  async #send(sink: Sink): Promise<void> {
    let sent = 0;
    for (;;) {
      const { done, value } = await this.#chunks.next();
      if (this.#hasEnded) return;
      if (done !== true) sent += value.byteLength;
      const size = this.#size ?? sent;
      if (sent > size || (done === true && sent < size))
        throw new RangeError(`a file of ${size} bytes has ${done === true ? `only ${sent}` : "more"}`);
      if (done === true) return;
      if (!sink.write(value)) await this.#untilWritable();
      if (this.#hasEnded) return;
    }
  }

  #untilWritable(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #end(failure: Error | undefined, isWritable: boolean): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#wake?.();
    // Errors while the handler's iterator is closed cannot be reported to a caller.
    (async () => this.#chunks.return?.())().catch(() => {});
    destroyStream(this.#body);
    this.#onEnd(failure, isWritable);
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

/** Closes a stream of Node: an iterator that was never used does not. A later error of the stream has no receiver. */
function destroyStream(body: FileBytes["body"]): void {
  const stream = body as { on?(event: "error", listener: () => void): unknown; destroy?(): unknown };
  if (typeof stream.destroy !== "function") return;
  stream.on?.("error", () => {});
  stream.destroy();
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
