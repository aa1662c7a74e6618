/**
 * Serves an API on Node's HTTP server, `createServer(nodeListener(server))`, or as an Express or Connect middleware,
 * `app.use(nodeListener(server))`.
 */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { readBody } from "./body.ts";
import {
  bodyOf,
  endsConnection,
  headersToSend,
  isOpen,
  mountedPath,
  NodeTransport,
  sendOutgoing,
} from "./node-transport.ts";
import type { Reply } from "./reply.ts";
import type { AnyExchange, RpcServer } from "./server.ts";

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

/** Express and Connect store the complete URL here. */
type Mounted = IncomingMessage & { readonly originalUrl?: string };

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
  if (reply.outgoing !== undefined) {
    sendOutgoing(res, reply, server.webrpc);
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
  // As many bytes as characters means ASCII, which Node writes fastest as Latin-1.
  res.end(body, length === body.length ? "latin1" : "utf8");
}
