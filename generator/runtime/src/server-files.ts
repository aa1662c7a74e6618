import type { Awaitable, HandlerContext, RpcFailure } from "./handler.ts";
import type { FileReadCall, NotModified, ReadContext } from "./reads.ts";
import {
  type OutgoingBody,
  type OutgoingCall,
  type Reply,
  type Sink,
  type StartReply,
  successReply,
} from "./reply.ts";

/* Files as responses. */

/**
 * A file that a handler returns: a `Blob`, for example from `openAsBlob(path, { type })` of `node:fs`, or bytes with
 * their media type.
 */
type FileReply = Blob | FileBytes;

/** The bytes of a file, with its name and media type. */
interface FileBytes {
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
   * `onEnd` is called once. `failure` is undefined if all bytes were sent, or if the caller disconnected. `isWritable` is
   * false if the caller had disconnected.
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

  cancel(cause?: string): void {
    this.#end(cause === undefined ? undefined : new Error(cause), false);
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
function isFileReply(value: unknown): value is FileReply {
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

/**
 * A method that returns a file: `async (ctx, req) => openAsBlob(path, { type: "image/png" })`, with `openAsBlob` of
 * `node:fs`.
 */
export type FileHandler<Host, Request, ErrorName extends string> = (
  ctx: HandlerContext<Host, ErrorName>,
  req: Request,
) => Awaitable<FileReply | RpcFailure<ErrorName>>;

/* The responses of methods that return a file. */

/** Creates the response of a handler that returned a file. */
export const fileReply: StartReply = (returned, call) => {
  if (!isFileReply(returned)) return call.badResponse("the handler did not return a file");
  const file = new OutgoingFile(returned, (failure, isWritable) => {
    const ended = failure === undefined ? reply : call.fail(failure);
    call.onEnd({ ...ended, status: reply.status }, { isWritable, isFile: true });
  });
  const headers = { ...file.headers, "X-Request-Id": call.requestId };
  const reply: Reply = { ...successReply(""), headers, outgoing: file };
  call.whenGone(() => file.cancel());
  return reply;
};

/* Parts of files, as the header `Range` of RFC 9110 requests them. */

/** The first and the last byte. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the requested part of a file. Undefined for the whole file: without a range, with several, or with an invalid
 * one. "unsatisfiable" if the file does not have that part.
 */
export function requestedRange(
  field: string | undefined,
  size: number,
): ByteRange | "unsatisfiable" | undefined {
  const [, first = "", last = ""] = /^bytes=[ \t]*([0-9]*)-([0-9]*)[ \t]*$/i.exec(field ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return undefined;
  if (start >= size) return "unsatisfiable";
  return { start, end: last === "" ? size - 1 : Math.min(Number(last), size - 1) };
}

/** Returns the size of a file in bytes, if it is known. */
export function sizeOf(file: FileReply): number | undefined {
  if (file instanceof Blob) return file.size;
  return file.size ?? (file.body instanceof Uint8Array ? file.body.byteLength : undefined);
}

/** Returns a part of a file, with the name and the media type of the file. */
export function partOf(file: FileReply, { start, end }: ByteRange): FileBytes {
  const size = end - start + 1;
  if (file instanceof Blob) {
    const named = "name" in file && typeof file.name === "string" ? { name: file.name } : {};
    return { body: file.slice(start, end + 1).stream(), type: file.type, size, ...named };
  }
  const { body } = file;
  const part = body instanceof Uint8Array ? body.subarray(start, end + 1) : skipped(body, start, end);
  return { ...file, body: part, size };
}

async function* skipped(
  body: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  let at = 0;
  for await (const chunk of body instanceof ReadableStream ? chunksOfStream(body) : body) {
    const part = chunk.subarray(Math.max(0, start - at), Math.max(0, end + 1 - at));
    at += chunk.byteLength;
    if (part.byteLength > 0) yield part;
    if (at > end) return;
  }
}

/** Not every platform supports async iteration of ReadableStream. */
async function* chunksOfStream(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** A method that returns a file, which caches know. */
export type FileReadHandler<Host, Request, ErrorName extends string> = (
  ctx: ReadContext<Host, ErrorName>,
  req: Request,
) => Awaitable<FileReply | NotModified | RpcFailure<ErrorName>>;

/* The responses of reads that return a file: whole, in part, or only their head. */

/** Creates the response of a handler that returned a file. A call by POST gets the whole file. */
export const fileReadReply: StartReply = (returned, call) => {
  if (!isReadCall(call) || !isFileReply(returned)) return fileReply(returned, call);
  const { conditions } = call;
  const size = sizeOf(returned);
  const accepted = size === undefined ? undefined : { "Accept-Ranges": "bytes" };
  if (conditions.isMet() || conditions.httpMethod === "HEAD") return headOf(returned, accepted);
  const range = size === undefined ? undefined : requestedRange(conditions.range, size);
  if (size === undefined || range === undefined) return withHeaders(fileReply(returned, call), accepted);
  if (range === "unsatisfiable") {
    discard(returned);
    return call.unsatisfiable(size);
  }
  const reply = fileReply(partOf(returned, range), {
    ...call,
    onEnd: (ended, delivery) => call.onEnd({ ...ended, status: 206 }, delivery),
  });
  const placed = { ...accepted, "Content-Range": `bytes ${range.start}-${range.end}/${size}` };
  return { ...withHeaders(reply, placed), status: 206 };
};

function isReadCall(call: OutgoingCall): call is FileReadCall {
  return "conditions" in call;
}

function withHeaders(reply: Reply, headers: Reply["headers"]): Reply {
  return { ...reply, headers: { ...reply.headers, ...headers } };
}

function headOf(file: FileReply, headers: Reply["headers"]): Reply {
  return { ...successReply(""), headers: { ...discard(file), ...headers } };
}

/** Closes a file that is not sent. Returns its headers. */
function discard(file: FileReply): Readonly<Record<string, string>> {
  const unsent = new OutgoingFile(file, () => {});
  unsent.cancel();
  return unsent.headers;
}
