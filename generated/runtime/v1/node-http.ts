import { isUtf8 } from "node:buffer";
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import { type Duplex, Readable } from "node:stream";
import {
  type AnyExchange,
  BodyFault,
  type ParsedBody,
  type ReadBody,
  type Reply,
  type RpcServer,
  streamType,
  type Transport,
  type WatchedCall,
} from "./server.ts";

/* Reads the body of Node's requests: all of it, up to a bound, as UTF-8. */

/**
 * Calls back once, with the text or with why there is none. Takes a callback instead of giving a promise because it runs for
 * every request: the promise costs as much as the rest of the reading of a small body. Time is bounded by the host's
 * `server.requestTimeout`, in which a body must have arrived. `parsed` is where a parser in front of us leaves its result, as
 * Express and Koa have it.
 */
export function readBody(
  req: IncomingMessage,
  maxBytes: number,
  call: WatchedCall,
  done: Done,
  parsed: { readonly body?: unknown } = req as { readonly body?: unknown },
): void {
  if (req.readableEnded && parsed.body !== undefined) done({ value: parsed.body });
  else if (Number(req.headers["content-length"] ?? 0) > maxBytes) done(tooLarge(maxBytes));
  else if (req.destroyed) done(cutOff());
  else collect(req, maxBytes, call, done);
}

type Done = (body: ReadBody) => void;

function collect(req: IncomingMessage, maxBytes: number, call: WatchedCall, done: Done): void {
  let first: Buffer | undefined;
  let rest: Buffer[] | undefined;
  let length = 0;
  let isDone = false;
  const watcher = call.watchBody((refusal) => {
    if (!isDone) finish(refusal);
  });

  req.on("data", (chunk: Buffer) => {
    if (isDone) return;
    length += chunk.length;
    watcher?.arrived(chunk.length);
    // The watcher may have refused it.
    if (isDone) return;
    if (length > maxBytes) finish(tooLarge(maxBytes));
    else if (first === undefined) first = chunk;
    else if (rest === undefined) rest = [first, chunk];
    else rest.push(chunk);
  });
  req.on("end", () => {
    if (!isDone) finish(toText(rest === undefined ? first : Buffer.concat(rest, length)));
  });
  req.on("close", () => {
    if (!isDone) finish(cutOff());
  });

  function finish(body: Exclude<ReadBody, ParsedBody>): void {
    isDone = true;
    first = undefined;
    rest = undefined;
    watcher?.ended();
    done(body);
  }
}

/** A replacement character in the text is either the caller's own or the trace of bytes that are no UTF-8. */
function toText(bytes: Buffer | undefined): string | BodyFault {
  if (bytes === undefined) return "";
  const text = bytes.toString("utf8");
  return text.includes("\ufffd") && !isUtf8(bytes) ? new BodyFault("the body is not UTF-8") : text;
}

function tooLarge(maxBytes: number): BodyFault {
  return new BodyFault(`the body is larger than ${maxBytes} bytes`);
}

function cutOff(): BodyFault {
  return new BodyFault("the connection ended before the body did");
}

/* What Node's requests have in common, on a bare server and under Koa. */

export class NodeTransport<Carrier> implements Transport<Carrier> {
  readonly carrier: Carrier;
  readonly #req: IncomingMessage;
  readonly #res: ServerResponse;

  constructor(carrier: Carrier, req: IncomingMessage, res: ServerResponse) {
    this.carrier = carrier;
    this.#req = req;
    this.#res = res;
  }

  header(name: string): string | undefined {
    if (name === "content-type") return contentTypeOf(this.#req);
    const value = this.#req.headers[name];
    return typeof value === "object" ? value.join(", ") : value;
  }

  whenGone(callback: () => void): void {
    const res = this.#res;
    if (res.destroyed) callback();
    else
      res.once("close", () => {
        if (!res.writableFinished) callback();
      });
  }
}

/** Node keeps the first Content-Type. Others that differ are told as well, so that a body is not read as what only one of them says. */
function contentTypeOf({ headers, rawHeaders }: IncomingMessage): string | undefined {
  const type = headers["content-type"];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length !== "content-type".length || name.toLowerCase() !== "content-type") continue;
    if (rawHeaders[at + 1] !== type) return `${type}, ${rawHeaders[at + 1]}`;
  }
  return type;
}

/** Whether an answer can still be given: the caller is there, and nobody else has begun to answer. */
export function isOpen(res: ServerResponse): boolean {
  return !res.destroyed && !res.headersSent;
}

/** The head of a streamed answer, and then the stream for as long as it lasts. */
export function sendStream(res: ServerResponse, { status, headers, stream }: Reply, webrpc: string): void {
  res.writeHead(status, { "Content-Type": streamType, Webrpc: webrpc, ...headers });
  res.on("drain", () => stream?.resume());
  stream?.open(res);
}

/** The head of an answer that is a file, and its bytes. Where they break off, the connection does. */
export function sendFile(res: ServerResponse, { status, headers, file }: Reply, webrpc: string): void {
  res.writeHead(status, { Webrpc: webrpc, ...headers });
  if (file === undefined) return;
  const bytes = Readable.from(file, { objectMode: false });
  // Not a pipeline, which would make its fault one of the response, and Koa's error of the application.
  bytes.on("error", () => res.destroy());
  res.on("close", () => bytes.destroy());
  bytes.pipe(res);
}

/** The bytes of a request as they arrive. Who stops early leaves the rest to be read over. */
export async function* bodyOf(req: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* req.iterator({ destroyOnReturn: false });
  } finally {
    readOver(req);
  }
}

/** Within its bound: the connection of who sends more ends. */
function readOver(req: IncomingMessage): void {
  let left = readOverMaxBytes;
  req.on("data", (chunk: Uint8Array) => {
    left -= chunk.byteLength;
    if (left < 0) req.destroy();
  });
}

/** The path of a request target, `/rpc/A/B?x` or `http://host/rpc/A/B`, without its query. */
export function pathOf(target: string): string {
  if (!target.startsWith("/")) return URL.canParse(target) ? new URL(target).pathname : target;
  const query = target.indexOf("?");
  return query === -1 ? target : target.slice(0, query);
}

/**
 * The path of a call where a framework has taken a prefix off the address: Express, koa-mount. A prefix that holds a part of the
 * basepath is put back: `app.use("/api/rpc", …)` with the basepath `/rpc/` serves `/api/rpc/Pets/GetPet`.
 */
export function mountedPath(url: string, originalUrl: string | undefined, basepath: string): string {
  const path = pathOf(url);
  if (originalUrl === undefined || originalUrl === url || path.startsWith(basepath)) return path;
  const original = pathOf(originalUrl);
  // Rewritten, not stripped.
  if (!original.endsWith(path)) return path;
  for (let at = original.length - path.length; at > 0; ) {
    at = original.lastIndexOf("/", at - 1);
    if (original.startsWith(basepath, at)) return original.slice(at);
  }
  return path;
}

/** Reading over this much takes some 50 ms of the thread. */
const readOverMaxBytes = 64 * 1024 * 1024;

/**
 * Whether the connection ends with an answer that is given before the body has arrived. Mostly it goes on and Node reads the rest
 * of the body over: on a connection that closes while its sender still writes, the answer is lost. What is read already has a
 * bound of its own.
 */
export function endsConnection(req: IncomingMessage): boolean {
  // Almost every request is complete: its headers are not looked at again.
  return (
    !req.complete && !req.readableFlowing && Number(req.headers["content-length"] ?? 0) > readOverMaxBytes
  );
}

/*
 * Serves an API on Node's own HTTP server, `createServer(nodeListener(server))`, and as a middleware of Express or Connect,
 * `app.use(nodeListener(server))`.
 */

/** `next` is what Express hands to a middleware. */
export type NodeListener = (req: IncomingMessage, res: ServerResponse, next?: () => void) => void;

export interface NodeOptions {
  /**
   * Serves paths outside of the basepath, before the `next` of Express. Default, without either: they are WebrpcBadRoute like
   * unknown ones inside.
   */
  readonly next?: (req: IncomingMessage, res: ServerResponse) => void;
}

export function nodeListener(server: RpcServer<IncomingMessage>, { next }: NodeOptions = {}): NodeListener {
  return (req, res, following) => {
    const { originalUrl } = req as Mounted;
    const path = mountedPath(req.url ?? "/", originalUrl, server.basepath);
    const transport = new NodeTransport(req, req, res);
    const isLast = next === undefined && following === undefined;
    const exchange = isLast ? server.openAny(path, transport) : server.open(path, transport);
    if (exchange !== undefined) serve(server, exchange, req, res);
    else if (next !== undefined) next(req, res);
    else following?.();
  };
}

/** Express and Connect keep the whole address here. */
type Mounted = IncomingMessage & { readonly originalUrl?: string };

export interface ClientErrorOptions {
  /** Sent besides, on every such answer: those of CORS, without which a page cannot read it. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Answers what Node cannot parse and what does not arrive in time: `http.on("clientError", clientErrorListener(server))`. The
 * connection is closed.
 */
export function clientErrorListener(
  server: RpcServer<never>,
  { headers = {} }: ClientErrorOptions = {},
): (error: NodeJS.ErrnoException, socket: Duplex) => void {
  return ({ code = "" }, socket) => {
    if (socket.writable) socket.end(rawAnswer(server, server.refuseUnparsable(faults[code]), headers));
    else socket.destroy();
  };
}

/** By the code of Node's error. */
const faults: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "the headers are larger than is read",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "the extensions of a chunk are larger than is read",
  ERR_HTTP_REQUEST_TIMEOUT: "the request did not arrive in time",
};

/** An answer as bytes, for a socket that has no response of Node's. */
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

/** Runs without a promise of its own, so that a handler that answers at once is answered at once. */
function serve(
  server: RpcServer<IncomingMessage>,
  exchange: AnyExchange,
  req: IncomingMessage,
  res: ServerResponse,
): void {
  const send = (reply: Reply): void => write(server, exchange, req, res, reply);
  const read = (refusal: Reply | undefined): void => {
    if (refusal !== undefined) send(refusal);
    else if (exchange.takesFiles) exchange.receive(bodyOf(req), send);
    else readBody(req, server.limits.bodyMaxBytes, exchange, (body) => exchange.answer(body, send));
  };
  const refusal = exchange.admit(req.method);
  if (refusal instanceof Promise) refusal.then(read);
  else read(refusal);
}

function write(
  server: RpcServer<IncomingMessage>,
  exchange: AnyExchange,
  req: IncomingMessage,
  res: ServerResponse,
  answer: Reply,
): void {
  const reply = exchange.finish(answer, isOpen(res));
  if (reply === undefined) return;
  if (reply.stream !== undefined) {
    sendStream(res, reply, server.webrpc);
    return;
  }
  if (reply.file !== undefined) {
    sendFile(res, reply, server.webrpc);
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
  if (headers !== undefined) head.push(...Object.entries(headers).flat());
  if (endsConnection(req)) head.push("Connection", "close");
  res.writeHead(status, head);
  // As many bytes as characters: ASCII, which Latin-1 writes without looking.
  res.end(body, length === body.length ? "latin1" : "utf8");
}
