/** What the Node and Koa adapters share. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Transport } from "./caller.ts";
import type { ResponseHeaders } from "./headers.ts";
import type { Reply } from "./reply.ts";

/** Connects a call to a request of Node. */
export class NodeTransport<Carrier> implements Transport<Carrier> {
  readonly carrier: Carrier;
  // @if explorer
  readonly sendsCompressed = true;
  // @end
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
export function headersToSend(res: ServerResponse, headers: ResponseHeaders = {}): Record<string, string[]> {
  const sent = Object.entries(headers).map(([name, value]) => {
    const isList = name.toLowerCase() === "vary";
    const earlier = isList || name.toLowerCase() === "set-cookie" ? (res.getHeader(name) ?? []) : [];
    const values = [earlier, value].flat(2).map(String);
    return [name, isList ? [values.join(", ")] : values] as const;
  });
  return Object.fromEntries(sent);
}

/** Sends the head of a response, then its body in parts. */
export function sendOutgoing(
  res: ServerResponse,
  { status, headers, outgoing }: Reply,
  webrpc: string,
): void {
  res.writeHead(status, { Webrpc: webrpc, ...headersToSend(res, headers) });
  res.on("drain", () => outgoing?.resume());
  outgoing?.open(res);
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
  // Almost all requests are complete, and need no look at their headers.
  return !req.complete && !req.readableFlowing && Number(req.headers["content-length"] ?? 0) > drainMaxBytes;
}
