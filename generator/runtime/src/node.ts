import { AsyncResource } from "node:async_hooks";
import { isUtf8 } from "node:buffer";
import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { Transport } from "./call.ts";
import type { ResponseHeaders } from "./handler.ts";
import { BodyFault } from "./json.ts";
import {
  stoppedReading,
  type UnreadResponse,
  UnreadResponses,
  unreadMinBytes,
  type WatchedCall,
} from "./options.ts";
import type { Reply } from "./reply.ts";
import { bytesOf, consumedBody, type ParsedBody, type ReadBody, unreadableBody } from "./request-body.ts";
import type { AnyExchange, RpcServer } from "./server.ts";
import { inNextTurn } from "./time.ts";

/* What the Node and Koa adapters share. */

/** Connects a call to a request of Node. */
export class NodeTransport<Carrier> implements Transport<Carrier> {
  readonly carrier: Carrier;
  readonly sendsCompressed = true;
  readonly #req: IncomingMessage;
  readonly #res: ServerResponse;

  readonly isFull: (isLarge: boolean) => boolean;

  constructor(
    carrier: Carrier,
    req: IncomingMessage,
    res: ServerResponse,
    isFull: (isLarge: boolean) => boolean,
  ) {
    this.carrier = carrier;
    this.#req = req;
    this.#res = res;
    this.isFull = isFull;
  }

  header(name: string): string | undefined {
    if (name === "content-type") return contentTypeOf(this.#req);
    const value = this.#req.headers[name];
    return typeof value === "object" ? value.join(", ") : value;
  }

  whenGone(callback: () => void): void {
    const res = this.#res;
    if (res.destroyed) callback();
    // Events of a connection do not belong to the call.
    else
      res.once(
        "close",
        AsyncResource.bind(() => {
          if (!res.writableFinished) callback();
        }),
      );
  }
}

/**
 * Node keeps only the first Content-Type. Others that differ are appended, so that the body is not read as a type that
 * only one of them names.
 */
function contentTypeOf({ headers, rawHeaders }: IncomingMessage): string | undefined {
  const type = headers["content-type"];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length !== "content-type".length || name.toLowerCase() !== "content-type") continue;
    if (rawHeaders[at + 1] !== type) return `${type}, ${rawHeaders[at + 1]}`;
  }
  return type;
}

/** Whether a response can still be sent: the caller is connected, and no other code has started to respond. */
export function isOpen(res: ServerResponse): boolean {
  return !res.destroyed && !res.headersSent;
}

/**
 * Returns the headers to send. They replace those that other code has set, but are added to the `Vary` and the cookies
 * of a middleware for CORS or sessions.
 */
export function headersToSend(
  res: ServerResponse,
  headers: ResponseHeaders = {},
): Record<string, string | string[]> {
  const sent = Object.entries(headers).map(([name, value]) => {
    const isList = name.toLowerCase() === "vary";
    const earlier = isList || name.toLowerCase() === "set-cookie" ? (res.getHeader(name) ?? []) : [];
    const values = [earlier, value].flat(2).map(String);
    // Koa and other readers of a sent Content-Type expect a string.
    return [name, isList || values.length === 1 ? values.join(", ") : values] as const;
  });
  return Object.fromEntries(sent);
}

/** Where a response is sent to. */
export interface Receiver {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly address: string | undefined;
}

/**
 * Counts a response that its caller may read slowly, and closes the connection if no byte moves in time: only then does the
 * timeout of a socket fire.
 */
function boundUnread(
  unread: UnreadResponses,
  { req, res, address }: Receiver,
  onCutOff: () => void,
): UnreadResponse {
  const { socket } = req;
  // Bound, because the response of another call may exceed the limit.
  const cutOff = AsyncResource.bind(() => {
    onCutOff();
    // A response that waits for an earlier one on the same connection has no socket yet.
    (res.socket === null ? socket : res).destroy();
  });
  const response = unread.open(address, cutOff);
  res.once("close", () => response.set(0));
  // Test doubles of a socket may lack timeouts.
  if (unread.maxMs === 0 || typeof socket.setTimeout !== "function") return response;
  const earlierMs = socket.timeout || Number.POSITIVE_INFINITY;
  const ms = Math.min(unread.maxMs, earlierMs);
  res.setTimeout(ms, () => {
    // Without waiting bytes, the handler of a file or a stream is slow, not its caller.
    if (res.writableLength > 0) response.cutOff();
  });
  res.once("close", () => {
    // Node sets another timeout for an idle connection, unless that is switched off.
    if (socket.timeout === ms) socket.setTimeout(Number.isFinite(earlierMs) ? earlierMs : 0);
  });
  return response;
}

const noBytes: Buffer = Buffer.alloc(0);
const partBytes = 64 * 1024;

/** A large JSON body. Node would keep a whole one, and copies of its text, until the connection is closed. */
export class LargeBody {
  readonly #res: ServerResponse;
  readonly #unread: UnreadResponse;
  #rest = noBytes;
  #isCutOff = false;

  /** Counts the body from now on, although it may be sent later. */
  constructor(unread: UnreadResponses, receiver: Receiver, body: string, onCutOff: () => void = () => {}) {
    this.#res = receiver.res;
    this.#unread = boundUnread(unread, receiver, () => {
      this.#isCutOff = true;
      this.#rest = noBytes;
      onCutOff();
    });
    this.#unread.set(Buffer.byteLength(body));
  }

  /** Sends the body, and ends the response. */
  end(body: string): void {
    if (this.#isCutOff) return;
    this.#rest = Buffer.from(body);
    this.#res.on("drain", () => this.#send());
    this.#send();
  }

  #send(): void {
    const res = this.#res;
    let hasRoom = true;
    while (hasRoom && this.#rest.length > 0) {
      // A copy: a view would keep the whole body while it is being written.
      const part = Buffer.from(this.#rest.subarray(0, partBytes));
      this.#rest = this.#rest.subarray(partBytes);
      hasRoom = res.write(part);
      if (this.#rest.length === 0) res.end();
    }
    this.#unread.set(this.#rest.length + res.writableLength);
  }
}

/** Sends the head of a response, then its body in parts. */
export function sendOutgoing(
  receiver: Receiver,
  { status, headers, outgoing }: Reply,
  webrpc: string,
  unread: UnreadResponses,
): void {
  const { res } = receiver;
  res.writeHead(status, { Webrpc: webrpc, ...headersToSend(res, headers) });
  const response = boundUnread(unread, receiver, () => outgoing?.cancel(stoppedReading));
  res.on("drain", () => {
    response.set(0);
    // A caller that reads as fast as the handler produces would otherwise hold up all others.
    inNextTurn(() => outgoing?.resume());
  });
  outgoing?.open({
    write: (part) => {
      const hasRoom = res.write(part);
      if (!hasRoom) response.set(res.writableLength);
      return hasRoom;
    },
    end: () => res.end(),
    destroy: () => res.destroy(),
  });
}

/** The bytes of a request as they arrive. If the reader stops early, the rest is read and discarded. */
export async function* bodyOf(req: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* req.iterator({ destroyOnReturn: false });
  } finally {
    drainRequest(req);
  }
}

/** Closes the connection of a caller that sends more than the limit. */
function drainRequest(req: IncomingMessage): void {
  let left = drainMaxBytes;
  req.on("data", (chunk: Uint8Array) => {
    left -= chunk.byteLength;
    if (left < 0) req.destroy();
  });
}

/** Returns the path of a request target, `/rpc/A/B?x` or `http://host/rpc/A/B`, without its query. */
export function pathOf(target: string): string {
  if (!target.startsWith("/")) return URL.canParse(target) ? new URL(target).pathname : target;
  const query = target.indexOf("?");
  return query === -1 ? target : target.slice(0, query);
}

/**
 * Returns the path of a call below a mount point of Express or koa-mount, which remove their prefix from the URL. A
 * prefix that contains part of the basepath is restored: `app.use("/api/rpc", …)` with the basepath `/rpc/` serves
 * `/api/rpc/Pets/GetPet`.
 */
export function mountedPath(url: string, originalUrl: string | undefined, basepath: string): string {
  const path = pathOf(url);
  if (originalUrl === undefined || originalUrl === url || path.startsWith(basepath)) return path;
  const original = pathOf(originalUrl);
  // The URL was rewritten, not only shortened.
  if (!original.endsWith(path)) return path;
  for (let at = original.length - path.length; at > 0; ) {
    at = original.lastIndexOf("/", at - 1);
    if (original.startsWith(basepath, at)) return original.slice(at);
  }
  return path;
}

/** Reading this much takes about 50 ms of the thread. */
const drainMaxBytes = 64 * 1024 * 1024;

/**
 * Whether to close the connection after a response that is sent before the body has arrived. Usually it stays open and
 * Node reads and discards the body: closing a connection while the caller is still sending loses the response. A body
 * that is being read already has its own limit.
 */
export function endsConnection(req: IncomingMessage): boolean {
  // Almost all requests are complete, and need no look at their headers. A stream of HTTP/2 ends without its connection.
  return (
    !req.complete &&
    req.httpVersionMajor < 2 &&
    !req.readableFlowing &&
    Number(req.headers["content-length"] ?? 0) > drainMaxBytes
  );
}

/* Reads the whole body of a Node request, up to a size limit. Uses what other middleware has read. */

/** Where body parsers leave their result: in Koa its `ctx.request`, elsewhere the request. */
export interface BodyHolder {
  /** A parsed value, text, or bytes. */
  readonly body?: unknown;
  /** Bytes or text that were parsed to `body`. */
  readonly rawBody?: unknown;
}

/**
 * Reads a request body and calls `done` once, with the text or with the reason why there is none.
 *
 * A callback, because a promise per request costs as much as the rest of reading a small body. Node's
 * `server.requestTimeout` limits how long a body may take.
 */
export function readBody(
  req: IncomingMessage,
  maxBytes: number,
  call: WatchedCall,
  done: Done,
  holders: readonly BodyHolder[] = [req as BodyHolder],
): void {
  const earlier = readEarlier(req, holders);
  if (earlier !== undefined) done(bounded(earlier, req, maxBytes));
  else if (Number(req.headers["content-length"] ?? 0) > maxBytes) done(BodyFault.tooLarge(maxBytes));
  else if (req.destroyed) done(connectionEnded());
  else collect(req, maxBytes, call, done);
}

/** Returns the chunks of a form, or the reason why they cannot be read. */
export function formOf(
  req: IncomingMessage,
  holders: readonly BodyHolder[] = [req as BodyHolder],
): AsyncIterable<Uint8Array> | BodyFault | Error {
  const earlier = readEarlier(req, holders);
  if (earlier === undefined) return req.readableEncoding ? unreadableBody("text") : bodyOf(req);
  if (earlier instanceof BodyFault || earlier instanceof Error) return earlier;
  const { value } = earlier;
  return value === "" || value instanceof Uint8Array ? chunksOf(Buffer.from(value)) : consumedBody();
}

type Done = (body: ReadBody) => void;

/** Returns what other code has read. Undefined if the body is still to be read. */
function readEarlier(
  req: IncomingMessage,
  holders: readonly BodyHolder[],
): ParsedBody | BodyFault | Error | undefined {
  // Undefined in some test doubles.
  const encoding = req.readableEncoding ?? "utf8";
  // `setEncoding` with another encoding does not keep the bytes.
  if (encoding !== "utf8") return unreadableBody(`text in ${encoding}`);
  if (!req.readableDidRead) return req.readableEnded ? { value: "" } : undefined;
  const left = holders.flatMap(({ rawBody, body }) => [rawBody, body]);
  const value = left.find((each) => isWhole(each, req.headers));
  if (value !== undefined) return asParsed(value);
  return req.destroyed && !req.complete ? connectionEnded() : consumedBody();
}

/** Length of `{"":0}`, the shortest JSON of an object with a field. */
const fieldMinBytes = 6;

/** Whether a value may be all of a body. Middlewares leave null or an empty object if they have read it for themselves. */
function isWhole(
  value: unknown,
  { "content-length": length, "content-encoding": coding }: IncomingHttpHeaders,
): boolean {
  if (value === undefined) return false;
  const sentBytes = coding === undefined ? Number(length ?? 0) : 0;
  const bytes = typeof value === "string" ? value : bytesOf(value);
  if (bytes !== undefined) return bytes.length > 0 || sentBytes === 0;
  const isEmpty = value === null || (isPlain(value) && Object.keys(value).length === 0);
  return !isEmpty || sentBytes < fieldMinBytes;
}

/** Whether a value is an object as parsers create them, in any realm. */
function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function asParsed(value: unknown): ParsedBody | Error {
  const bytes = bytesOf(value);
  if (bytes !== undefined) return { value: bytes };
  const isJson =
    typeof value === "object"
      ? value === null || Array.isArray(value) || isPlain(value)
      : typeof value !== "function" && typeof value !== "symbol";
  return isJson ? { value } : consumedBody();
}

/** Bytes and text are read like a body that arrives. */
function bounded(
  earlier: ParsedBody | BodyFault | Error,
  { headers }: IncomingMessage,
  maxBytes: number,
): ReadBody {
  if (earlier instanceof BodyFault || earlier instanceof Error) return earlier;
  const { value } = earlier;
  if (typeof value === "string")
    return Buffer.byteLength(value) > maxBytes ? BodyFault.tooLarge(maxBytes) : value;
  if (value instanceof Uint8Array)
    return value.byteLength > maxBytes ? BodyFault.tooLarge(maxBytes) : toText(Buffer.from(value));
  const length = headers["content-length"] ?? Buffer.byteLength(JSON.stringify(value, bigintAsText));
  return Number(length) > maxBytes ? BodyFault.tooLarge(maxBytes) : earlier;
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}` : value;
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.byteLength > 0) yield bytes;
}

function collect(req: IncomingMessage, maxBytes: number, call: WatchedCall, done: Done): void {
  let first: Buffer | undefined;
  let rest: Buffer[] | undefined;
  let length = 0;
  let isDone = false;
  // Events of a request belong to its connection, and not to the code that has called this function.
  const context = new AsyncResource("RequestBody");
  const watcher = call.watchBody((refusal) => {
    if (!isDone) finish(refusal);
  });

  req.on("data", (data: Buffer | string) => {
    if (isDone) return;
    const chunk = typeof data === "string" ? Buffer.from(data) : data;
    length += chunk.length;
    if (watcher !== undefined) context.runInAsyncScope(() => watcher.arrived(chunk.length));
    // The watcher may have rejected the body.
    if (isDone) return;
    if (length > maxBytes) finish(BodyFault.tooLarge(maxBytes));
    else if (first === undefined) first = chunk;
    else if (rest === undefined) rest = [first, chunk];
    else rest.push(chunk);
  });
  req.on("end", () => {
    if (isDone) return;
    const text = toText(rest === undefined ? first : Buffer.concat(rest, length));
    // After `setEncoding`, a replacement character may stand for bytes that are not UTF-8.
    const isLossy = req.readableEncoding === "utf8" && typeof text === "string" && text.includes("\ufffd");
    finish(isLossy ? unreadableBody("text with replacement characters") : text);
  });
  req.on("close", () => {
    if (!isDone) finish(connectionEnded());
  });

  function finish(body: Exclude<ReadBody, ParsedBody>): void {
    isDone = true;
    first = undefined;
    rest = undefined;
    context.runInAsyncScope(() => {
      watcher?.ended();
      done(body);
    });
  }
}

/** A replacement character is either part of the text, or it marks bytes that are not UTF-8. */
function toText(bytes: Buffer | undefined): string | BodyFault {
  if (bytes === undefined) return "";
  const text = bytes.toString("utf8");
  return text.includes("\ufffd") && !isUtf8(bytes) ? new BodyFault("the body is not UTF-8") : text;
}

function connectionEnded(): BodyFault {
  return new BodyFault("the connection closed before the body was complete");
}

/*
 * Serves an API on Node's HTTP server, `createServer(nodeListener(server))`, or as an Express or Connect middleware,
 * `app.use(nodeListener(server))`.
 */

/** A request listener of Node's HTTP server. Express calls it with `next`. */
export type NodeListener = (req: IncomingMessage, res: ServerResponse, next?: () => void) => void;

/** Options of `nodeListener`. */
export interface NodeOptions {
  /**
   * Handles paths outside of the basepath, in preference to the `next` of Express. Without either, they get
   * WebrpcBadRoute, like unknown paths inside.
   */
  readonly next?: (req: IncomingMessage, res: ServerResponse) => void;
}

/**
 * Creates a listener that serves the API: `createServer(nodeListener(server))`, or `app.use(nodeListener(server))` in
 * Express.
 */
export function nodeListener(server: RpcServer<IncomingMessage>, { next }: NodeOptions = {}): NodeListener {
  const unread = new UnreadResponses(server.limits);
  return (req, res, following) => {
    const { originalUrl } = req as Mounted;
    const path = mountedPath(req.url ?? "/", originalUrl, server.basepath);
    const transport = new NodeTransport(req, req, res, (isLarge) =>
      unread.isFull(isLarge, () => addressOf(req)),
    );
    const isLast = next === undefined && following === undefined;
    const exchange = isLast ? server.openAny(path, transport) : server.open(path, transport);
    if (exchange !== undefined) serve(server, exchange, req, res, unread);
    else if (next !== undefined) next(req, res);
    else following?.();
  };
}

/** Express and Connect store the complete URL here, and Express the address of the caller. */
type Mounted = IncomingMessage & { readonly originalUrl?: string; readonly ip?: string | undefined };

/** Express sets the address of the caller that its proxies name. */
function addressOf(req: IncomingMessage): string | undefined {
  return (req as Mounted).ip ?? req.socket.remoteAddress;
}

/** Options of `clientErrorListener`. */
export interface ClientErrorOptions {
  /** Added to every such response. A browser needs the CORS headers to read it. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Responds to requests that Node cannot parse or that time out: `http.on("clientError", clientErrorListener(server))`.
 * Closes the connection.
 */
export function clientErrorListener(
  server: RpcServer<never>,
  { headers = {} }: ClientErrorOptions = {},
): (error: NodeJS.ErrnoException, socket: Duplex) => void {
  return ({ code = "" }, socket) => {
    const { reason, status } = faults[code] ?? {};
    if (socket.writable) socket.end(rawAnswer(server, server.refuseUnparsable(reason, status), headers));
    else socket.destroy();
  };
}

/** By Node's error code. */
const faults: Readonly<Record<string, { readonly reason: string; readonly status?: number }>> = {
  HPE_HEADER_OVERFLOW: { reason: "the headers are too large", status: 431 },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { reason: "the chunk extensions are too large" },
  ERR_HTTP_REQUEST_TIMEOUT: { reason: "the request did not arrive in time" },
};

/** Formats a response as HTTP/1.1 text, for a socket without a `ServerResponse`. */
export function rawAnswer(
  { webrpc }: Pick<RpcServer<never>, "webrpc">,
  { status, body, headers }: Reply,
  more: Readonly<Record<string, string>> = {},
): string {
  const all = {
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
    Webrpc: webrpc,
    ...more,
    ...headers,
    Connection: "close",
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n${body}`;
}

/** Creates no promise, so a synchronous handler responds synchronously. */
function serve(
  server: RpcServer<IncomingMessage>,
  exchange: AnyExchange,
  req: IncomingMessage,
  res: ServerResponse,
  unread: UnreadResponses,
): void {
  const send = (reply: Reply): void => write(server, exchange, { req, res, unread }, reply);
  const read = (refusal: Reply | undefined): void => {
    if (refusal !== undefined) send(refusal);
    else if (exchange.takesFiles) exchange.receive(formOf(req), send);
    else readBody(req, server.limits.bodyMaxBytes, exchange, (body) => exchange.answer(body, send));
  };
  const refusal = exchange.admit(req.method);
  if (refusal instanceof Promise) refusal.then(read);
  else read(refusal);
}

interface Connection {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly unread: UnreadResponses;
}

function write(
  server: RpcServer<IncomingMessage>,
  exchange: AnyExchange,
  { req, res, unread }: Connection,
  answer: Reply,
): void {
  const reply = exchange.finish(answer, isOpen(res));
  if (reply === undefined) return;
  const receiver = (): Receiver => ({ req, res, address: addressOf(req) });
  if (reply.outgoing !== undefined) {
    sendOutgoing(receiver(), reply, server.webrpc, unread);
    return;
  }
  const { status, body, headers } = reply;
  const length = Buffer.byteLength(body);
  const head = [
    "Content-Type",
    "application/json",
    "Content-Length",
    String(length),
    "Webrpc",
    server.webrpc,
  ];
  if (headers !== undefined)
    for (const [name, values] of Object.entries(headersToSend(res, headers))) res.setHeader(name, values);
  if (endsConnection(req)) head.push("Connection", "close");
  res.writeHead(status, head);
  if (length >= unreadMinBytes) {
    new LargeBody(unread, receiver(), body).end(body);
    return;
  }
  // As many bytes as characters means ASCII, which Node writes fastest as Latin-1.
  res.end(body, length === body.length ? "latin1" : "utf8");
}
