/** What Node's requests have in common, on a bare server and under Koa. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { Transport } from "./caller.ts";
import { type Reply, streamType } from "./errors-wire.ts";

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
    drainRequest(req);
  }
}

/** Within its bound: the connection of who sends more ends. */
function drainRequest(req: IncomingMessage): void {
  let left = drainMaxBytes;
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
const drainMaxBytes = 64 * 1024 * 1024;

/**
 * Whether the connection ends with an answer that is given before the body has arrived. Mostly it goes on and Node reads the rest
 * of the body over: on a connection that closes while its sender still writes, the answer is lost. What is read already has a
 * bound of its own.
 */
export function endsConnection(req: IncomingMessage): boolean {
  // Almost every request is complete: its headers are not looked at again.
  return !req.complete && !req.readableFlowing && Number(req.headers["content-length"] ?? 0) > drainMaxBytes;
}
