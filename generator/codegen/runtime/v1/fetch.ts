/** Serves an API as a Fetch API handler: `export default { fetch: fetchHandler(server) }`. */

import type { BodyRefusal, WatchedCall } from "./body-watcher.ts";
import type { Transport } from "./caller.ts";
import type { Limits } from "./hooks.ts";
import { BodyFault } from "./json.ts";
import type { OutgoingBody } from "./outgoing-body.ts";
import type { Reply } from "./reply.ts";
import type { AnyExchange, RpcServer } from "./server.ts";

/** A Fetch API handler, as Workers, Deno, Bun and Hono use it. */
export type FetchHandler = (request: Request) => Promise<Response>;

/** Options of `fetchHandler`. */
export interface FetchOptions {
  /** Handles paths outside of the basepath. Default: they get WebrpcBadRoute, like unknown paths inside. */
  readonly next?: (request: Request) => Response | Promise<Response>;
}

/** Creates a Fetch API handler that serves the API: `export default { fetch: fetchHandler(server) }`. */
export function fetchHandler(server: RpcServer<Request>, { next }: FetchOptions = {}): FetchHandler {
  return async (request) => {
    const path = new URL(request.url).pathname;
    const transport = new FetchTransport(request);
    const exchange = next === undefined ? server.openAny(path, transport) : server.open(path, transport);
    if (exchange === undefined) return next?.(request) ?? new Response(null, { status: 404 });
    const answer = (await exchange.admit(request.method)) ?? (await call(exchange, request, server.limits));
    const reply = exchange.finish(answer, !request.signal.aborted);
    return toResponse(reply ?? answer, request.method, server.webrpc);
  };
}

async function call(exchange: AnyExchange, request: Request, { bodyMaxBytes }: Limits): Promise<Reply> {
  if (exchange.takesFiles) return new Promise((send) => exchange.receive(chunksOf(request), send));
  const body = await readText(request, bodyMaxBytes, exchange);
  return new Promise((send) => exchange.answer(body, send));
}

class FetchTransport implements Transport<Request> {
  readonly carrier: Request;

  constructor(request: Request) {
    this.carrier = request;
  }

  header(name: string): string | undefined {
    return this.carrier.headers.get(name) ?? undefined;
  }

  whenGone(callback: () => void): void {
    const { signal } = this.carrier;
    if (signal.aborted) callback();
    else signal.addEventListener("abort", callback, { once: true });
  }
}

/** Reads the body up to a size limit and does not wait for more. */
async function readText(
  request: Request,
  maxBytes: number,
  call: WatchedCall,
): Promise<string | BodyRefusal> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) return tooLarge(maxBytes);
  const reader = request.body?.getReader();
  if (reader === undefined) return "";
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let text = "";
  let length = 0;
  let refusal: BodyRefusal | undefined;
  const watcher = call.watchBody((refused) => {
    refusal = refused;
    // Ends a pending read.
    reader.cancel().catch(() => {});
  });
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      length += part.value.byteLength;
      watcher?.arrived(part.value.byteLength);
      if (length > maxBytes) {
        reader.cancel().catch(() => {});
        return tooLarge(maxBytes);
      }
      text += decoder.decode(part.value, { stream: true });
    }
    return refusal ?? text + decoder.decode();
  } catch (error) {
    if (refusal !== undefined) return refusal;
    return new BodyFault(
      error instanceof TypeError && !request.signal.aborted
        ? "the body is not UTF-8"
        : "the connection closed before the body was complete",
    );
  } finally {
    watcher?.ended();
  }
}

/** The body as it arrives. */
async function* chunksOf({ body }: Request): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  try {
    for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
      yield part.value;
    }
  } finally {
    if (reader !== undefined) drainBody(reader).catch(() => {});
  }
}

/** Reading this much takes about 50 ms of the thread. */
const drainBodyMaxBytes = 64 * 1024 * 1024;

/**
 * Reads and discards the rest of a body. Many platforms close the connection when a body is cancelled, which loses the
 * response.
 */
async function drainBody(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  let left = drainBodyMaxBytes;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    left -= part.value.byteLength;
    if (left < 0) await reader.cancel();
  }
}

function tooLarge(maxBytes: number): BodyFault {
  return new BodyFault(`the body is larger than ${maxBytes} bytes`);
}

function toResponse(
  { status, body, headers, outgoing }: Reply,
  httpMethod: string,
  webrpc: string,
): Response {
  const head = new Headers(
    Object.entries({ Webrpc: webrpc, ...headers }).flatMap(([name, value]) =>
      [value].flat().map((each): [string, string] => [name, each]),
    ),
  );
  // @if reads or explorer
  // Such a response cannot have a body, not even an empty one.
  if (status === 304) return new Response(null, { status, headers: head });
  // @end
  if (outgoing !== undefined) return new Response(readableOf(outgoing), { status, headers: head });
  head.set("Content-Type", "application/json");
  if (httpMethod !== "HEAD") return new Response(body, { status, headers: head });
  head.set("Content-Length", String(new TextEncoder().encode(body).byteLength));
  return new Response(null, { status, headers: head });
}

/** Bytes buffered for a slow reader, in addition to one part of any size. Node's sockets buffer as much. */
const bufferedBytes = 16 * 1024;

function readableOf(outgoing: OutgoingBody): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) =>
        outgoing.open({
          write: (part) => {
            controller.enqueue(typeof part === "string" ? encoder.encode(part) : part);
            return (controller.desiredSize ?? 0) > 0;
          },
          end: () => controller.close(),
          destroy: () => controller.error(new Error("the response was cut off")),
        }),
      pull: () => outgoing.resume(),
      cancel: () => outgoing.cancel(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: bufferedBytes }),
  );
}
