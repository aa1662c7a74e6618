/** Serves an API on Node's own HTTP server: `createServer(nodeListener(server))`. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { readBody } from "./body.ts";
import type { Reply } from "./errors-wire.ts";
import { isOpen, NodeTransport, pathOf } from "./node-transport.ts";
import type { AnyExchange, RpcServer } from "./server.ts";

export type NodeListener = (req: IncomingMessage, res: ServerResponse) => void;

export interface NodeOptions {
  /** Serves paths outside of the basepath. Default: they are WebrpcBadRoute like unknown ones inside. */
  readonly next?: NodeListener;
}

export function nodeListener(server: RpcServer<IncomingMessage>, { next }: NodeOptions = {}): NodeListener {
  return (req, res) => {
    const path = pathOf(req.url ?? "/");
    const transport = new NodeTransport(req, req, res);
    const exchange = next === undefined ? server.openAny(path, transport) : server.open(path, transport);
    if (exchange === undefined) next?.(req, res);
    else serve(server, exchange, req, res);
  };
}

/** Answers what Node cannot parse: `http.on("clientError", clientErrorListener(server))`. The connection is closed. */
export function clientErrorListener(server: RpcServer<never>): (error: Error, socket: Duplex) => void {
  const { status, body } = server.refuseUnparsable();
  const head = `HTTP/1.1 ${status} Bad Request\r\nContent-Type: application/json\r\nWebrpc: ${server.webrpc}\r\n`;
  const answer = `${head}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`;
  return (_error, socket) => {
    if (socket.writable) socket.end(answer);
    else socket.destroy();
  };
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
    else readBody(req, server.limits.bodyMaxBytes, (body) => exchange.answer(body, send));
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
  // What was not read of a body would be taken for the next request.
  if (!req.complete) head.push("Connection", "close");
  res.writeHead(status, head);
  // As many bytes as characters: ASCII, which Latin-1 writes without looking.
  res.end(body, length === body.length ? "latin1" : "utf8");
}
