import type { Transport } from "./call.ts";
import { BodyFault } from "./json.ts";
import {
  type BodyRefusal,
  type Limits,
  stoppedReading,
  type UnreadResponse,
  UnreadResponses,
  unreadMinBytes,
  type WatchedCall,
} from "./options.ts";
import type { OutgoingBody, Reply } from "./reply.ts";
import { bytesOf, consumedBody, unreadableBody } from "./request-body.ts";
import type { AnyExchange, RpcServer } from "./server.ts";
import { inNextTurn } from "./time.ts";

/* Serves an API as a Fetch API handler: `export default { fetch: fetchHandler(server) }`. */

/** A Fetch API handler, as Workers, Deno, Bun and Hono use it. */
export type FetchHandler = (request: Request) => Promise<Response>;

/** Options of `fetchHandler`. */
export interface FetchOptions {
  /** Handles paths outside of the basepath. Default: they get WebrpcBadRoute, like unknown paths inside. */
  readonly next?: (request: Request) => Response | Promise<Response>;
}

/** Creates a Fetch API handler that serves the API: `export default { fetch: fetchHandler(server) }`. */
export function fetchHandler(server: RpcServer<Request>, { next }: FetchOptions = {}): FetchHandler {
  const unread = new UnreadResponses(server.limits);
  return async (request) => {
    const path = new URL(request.url).pathname;
    const transport = new FetchTransport(request, unread);
    const exchange = next === undefined ? server.openAny(path, transport) : server.open(path, transport);
    if (exchange === undefined) return next?.(request) ?? new Response(null, { status: 404 });
    // Called without waiting: a large body must be counted before the next call creates its own.
    const respond = (answer: Reply): Response => {
      const reply = exchange.finish(answer, !request.signal.aborted);
      return toResponse(reply ?? answer, request.method, server.webrpc, unread);
    };
    const refusal = await exchange.admit(request.method);
    return refusal === undefined ? call(exchange, request, server.limits, respond) : respond(refusal);
  };
}

async function call(
  exchange: AnyExchange,
  request: Request,
  { bodyMaxBytes }: Limits,
  respond: (reply: Reply) => Response,
): Promise<Response> {
  const body = exchange.takesFiles ? undefined : await readText(request, bodyMaxBytes, exchange);
  return new Promise((resolve, reject) => {
    const send = (reply: Reply): void => {
      try {
        resolve(respond(reply));
      } catch (bug) {
        reject(bug);
      }
    };
    if (body !== undefined) exchange.answer(body, send);
    else exchange.receive(isConsumed(request) ? consumedBody() : chunksOf(request), send);
  });
}

class FetchTransport implements Transport<Request> {
  readonly carrier: Request;

  readonly #unread: UnreadResponses;

  constructor(request: Request, unread: UnreadResponses) {
    this.carrier = request;
    this.#unread = unread;
  }

  /** The platform knows the addresses. */
  isFull(isLarge: boolean): boolean {
    return this.#unread.isFull(isLarge, () => undefined);
  }

  header(name: string): string | undefined {
    return this.carrier.headers.get(name) ?? undefined;
  }

  whenGone(callback: () => void): void {
    const { signal } = this.carrier;
    if (signal.aborted) callback();
    else signal.addEventListener("abort", inContext(callback), { once: true });
  }
}

/** Whether other code has read the body, or is reading it. */
function isConsumed({ bodyUsed, body }: Request): boolean {
  return bodyUsed || body?.locked === true;
}

/**
 * Returns a function that runs the callback later, in the async context of now. Not every platform has `AsyncResource`;
 * on all of them, a continuation of a promise keeps its context.
 */
function inContext(callback: () => void): () => void {
  let run = (): void => {};
  new Promise<void>((resolve) => {
    run = resolve;
  }).then(callback);
  return run;
}

/** Reads the body up to a size limit and does not wait for more. */
async function readText(
  request: Request,
  maxBytes: number,
  call: WatchedCall,
): Promise<string | BodyFault | Error> {
  if (isConsumed(request)) return consumedBody();
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) return BodyFault.tooLarge(maxBytes);
  const reader = request.body?.getReader();
  if (reader === undefined) return "";
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const decode = (part?: Uint8Array): string | undefined => {
    try {
      return part === undefined ? decoder.decode() : decoder.decode(part, { stream: true });
    } catch {
      return undefined;
    }
  };
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
      const bytes = bytesOf(part.value);
      if (bytes === undefined) {
        reader.cancel().catch(() => {});
        return unreadableBody(`a stream of ${typeof part.value}`);
      }
      length += bytes.byteLength;
      watcher?.arrived(bytes.byteLength);
      if (length > maxBytes) {
        reader.cancel().catch(() => {});
        return BodyFault.tooLarge(maxBytes);
      }
      const decoded = decode(bytes);
      if (decoded === undefined) {
        reader.cancel().catch(() => {});
        return notUtf8();
      }
      text += decoded;
    }
    const end = decode();
    return refusal ?? (end === undefined ? notUtf8() : text + end);
  } catch {
    return refusal ?? new BodyFault("the connection closed before the body was complete");
  } finally {
    watcher?.ended();
  }
}

function notUtf8(): BodyFault {
  return new BodyFault("the body is not UTF-8");
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

function toResponse(
  { status, body, headers, outgoing }: Reply,
  httpMethod: string,
  webrpc: string,
  unread: UnreadResponses,
): Response {
  const head = new Headers(
    Object.entries({ Webrpc: webrpc, ...headers }).flatMap(([name, value]) =>
      [value].flat().map((each): [string, string] => [name, each]),
    ),
  );
  // Such a response cannot have a body, not even an empty one.
  if (status === 304) return new Response(null, { status, headers: head });
  if (outgoing !== undefined) return new Response(readableOf(outgoing, unread), { status, headers: head });
  head.set("Content-Type", "application/json");
  const isHead = httpMethod === "HEAD";
  if (!isHead && body.length < unreadMinBytes) return new Response(body, { status, headers: head });
  const bytes = new TextEncoder().encode(body);
  head.set("Content-Length", String(bytes.byteLength));
  return new Response(isHead ? null : inParts(bytes, unread), { status, headers: head });
}

/** Bytes buffered for a slow reader, in addition to one part of any size. Node's sockets buffer as much. */
const bufferedBytes = 16 * 1024;

function readableOf(outgoing: OutgoingBody, responses: UnreadResponses): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const cancel = inContext(() => outgoing.cancel());
  let unread: UnreadResponse;
  let isClosed = false;
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        unread = bounded(responses, () => {
          isClosed = true;
          outgoing.cancel(stoppedReading);
          controller.error(new Error(stoppedReading));
        });
        outgoing.open({
          write: (part) => {
            // `cancel` reaches the handler a moment after the caller has gone.
            if (isClosed) return false;
            controller.enqueue(typeof part === "string" ? encoder.encode(part) : part);
            const room = controller.desiredSize ?? 0;
            if (room <= 0) unread.set(bufferedBytes - room);
            return room > 0;
          },
          end: () => {
            unread.set(0);
            if (!isClosed) controller.close();
          },
          destroy: () => {
            unread.set(0);
            if (!isClosed) controller.error(new Error("the response was cut off"));
          },
        });
      },
      // A caller that reads as fast as the handler produces would otherwise hold up all others. The platform pulls again
      // after the turn.
      pull: async () => {
        unread.set(0);
        await new Promise<void>((resolve) => inNextTurn(resolve));
        outgoing.resume();
      },
      cancel: () => {
        isClosed = true;
        unread.set(0);
        cancel();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: bufferedBytes }),
  );
}

/** A platform that gets a large body as a whole would copy it, even if its caller does not read. */
function inParts(bytes: Uint8Array, responses: UnreadResponses): ReadableStream<Uint8Array> {
  let rest: Uint8Array = bytes;
  let unread: UnreadResponse;
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        unread = bounded(responses, () => {
          rest = new Uint8Array();
          controller.error(new Error(stoppedReading));
        });
        unread.set(rest.byteLength);
      },
      pull: (controller) => {
        // A copy: a view would keep the whole body while it is being written.
        controller.enqueue(rest.slice(0, partBytes));
        rest = rest.subarray(partBytes);
        unread.set(rest.byteLength);
        if (rest.byteLength === 0) controller.close();
      },
      cancel: () => {
        rest = new Uint8Array();
        unread.set(0);
      },
    },
    { highWaterMark: 0 },
  );
}

const partBytes = 64 * 1024;

/** Counts a response, and cuts it off if the platform has not asked for more of it in time. */
function bounded(responses: UnreadResponses, onCutOff: () => void): UnreadResponse {
  const { maxMs } = responses;
  let timer: ReturnType<typeof setTimeout> | undefined;
  // The response of another call may exceed the limit.
  const cutOff = inContext(onCutOff);
  const response = responses.open(undefined, () => {
    clearTimeout(timer);
    cutOff();
  });
  return {
    cutOff: response.cutOff,
    set: (bytes) => {
      clearTimeout(timer);
      if (bytes > 0 && maxMs > 0) timer = setTimeout(response.cutOff, maxMs);
      // Does not keep a program running that ignores a response.
      (timer as { unref?(): void } | undefined)?.unref?.();
      response.set(bytes);
    },
  };
}
