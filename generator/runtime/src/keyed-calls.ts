import type { Transport } from "./call.ts";
import type { Core } from "./core.ts";
import type { Method } from "./definition.ts";
import {
  type HandlerContext,
  type HeaderValue,
  RpcFailure,
  withMembers,
  withMoreHeaders,
} from "./handler.ts";
import { type IdempotencyOptions, type KeptResponse, keyForm, readKey } from "./idempotency.ts";
import { type Reply, successReply, withStatus } from "./reply.ts";

const defaultResponseMaxBytes = 64 * 1024;

/** Returns the method for one call: if the call has a key, its handler runs only if the key is new. */
export function onceForKey<Carrier>(
  core: Core<Carrier>,
  method: Method,
  transport: Transport<Carrier>,
): Method {
  const options = core.idempotency;
  if (options === undefined || method.definition.takesKey !== true) return method;
  const header = transport.header("idempotency-key");
  if (header === undefined && options.isRequired !== true) return method;
  return {
    ...method,
    // The handle below returns complete responses.
    definition: { ...method.definition, reply: (returned) => returned as Reply },
    handle: (ctx, request) => {
      if (header === undefined) return core.badRequest("the header Idempotency-Key is missing");
      const key = readKey(header);
      if (key === undefined) return core.badRequest(`invalid header Idempotency-Key: ${keyForm}`);
      return runOnce({ core, method, options, key }, ctx as HandlerContext<unknown>, request);
    },
  };
}

interface KeyedCall<Carrier> {
  readonly core: Core<Carrier>;
  readonly method: Method;
  readonly options: IdempotencyOptions;
  readonly key: string;
}

async function runOnce<Carrier>(
  { core, method, options, key }: KeyedCall<Carrier>,
  ctx: HandlerContext<unknown>,
  request: unknown,
): Promise<Reply> {
  const fingerprint = await fingerprintOf(method.info.path, request);
  const maxBytes = options.responseMaxBytes ?? defaultResponseMaxBytes;
  const scope: unknown = options.scope(ctx.context);
  // Callers without a scope would get the responses of each other.
  if (typeof scope !== "string") throw new TypeError("idempotency.scope: expected text");
  let own: Reply | undefined;
  const outcome = await options.store.run({ scope, key }, ctx.context, async (context) => {
    const headers: Record<string, HeaderValue> = {};
    const { reply, isFinal } = await handled(core, method, contextFor(ctx, context, headers), request);
    own = reply;
    const complete = { ...reply, headers: withMoreHeaders(reply.headers, headers) };
    return isFinal ? keptOf(complete, fingerprint, maxBytes) : undefined;
  });
  if (outcome === "running")
    return {
      ...withStatus(core.badRequest("the first call with this Idempotency-Key has not ended"), 409),
      headers: { "Retry-After": "1" },
    };
  if (outcome === "ran") {
    if (own === undefined) throw new Error("the store ran no handler");
    return own;
  }
  if (outcome.fingerprint !== fingerprint) {
    // Only fingerprints of other versions contain a space.
    const use = outcome.fingerprint.includes(" ") ? "by a client of another version" : "for another request";
    return withStatus(core.badRequest(`this Idempotency-Key was used ${use}`), 422);
  }
  return replyOf(outcome) ?? withStatus(core.badRequest(notKept), 409);
}

const notKept = "the first call with this Idempotency-Key has ended, but its response was not kept";

interface Handled {
  readonly reply: Reply;
  /** Whether repeating the call would return the same: a success, or an error that the handler chose. */
  readonly isFinal: boolean;
}

async function handled<Carrier>(
  core: Core<Carrier>,
  method: Method,
  ctx: HandlerContext<unknown>,
  request: unknown,
): Promise<Handled> {
  const failed = (thrown: unknown): Handled => {
    const reply = core.failMethod(method, thrown);
    // An error with invalid data becomes an error of the protocol.
    const isChosen = reply.error !== undefined && reply.error.code > 0;
    return { reply, isFinal: isChosen && isLasting(thrown, method) };
  };
  try {
    const value = await method.handle(ctx, request);
    if (value instanceof Error) return failed(value);
    const reply = core.encode(value, method);
    return { reply, isFinal: reply.error === undefined };
  } catch (thrown) {
    return failed(thrown);
  }
}

/** Whether a handler chose one of its method's errors, and the error does not ask callers to come back later. */
function isLasting(thrown: unknown, { allowed }: Method): boolean {
  const raised = RpcFailure.read(thrown);
  if (raised === undefined || !allowed.has(raised.info) || raised.info.code <= 0) return false;
  const { status } = raised.info;
  const asksForRetry = Object.keys(raised.headers ?? {}).some((name) => name.toLowerCase() === "retry-after");
  return status < 500 && status !== 429 && !asksForRetry;
}

function keptOf({ status, body, headers }: Reply, fingerprint: string, maxBytes: number): KeptResponse {
  const isKept = new TextEncoder().encode(body).length <= maxBytes;
  return { fingerprint, status, ...(isKept && { body, headers }) };
}

function replyOf({ status, body, headers }: KeptResponse): Reply | undefined {
  if (body === undefined) return undefined;
  const reply = { ...successReply(body), status, headers };
  if (status < 400) return reply;
  const { error: name, code, msg: message } = JSON.parse(body);
  return { ...reply, error: { name, code, message, status } };
}

/** Equal for requests with the same values, whatever the order of their fields. */
async function fingerprintOf(path: string, request: unknown): Promise<string> {
  const text = JSON.stringify(request, (_name, value: unknown) => {
    if (typeof value === "bigint") return `${value}`;
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
  const bytes = new TextEncoder().encode(`${path}\n${text}`);
  return btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))));
}

/** Returns `ctx` with another value of `context`, and collects the headers that the handler sets. */
function contextFor(
  ctx: HandlerContext<unknown>,
  context: unknown,
  headers: Record<string, HeaderValue>,
): HandlerContext<unknown> {
  function setHeader(name: string, value: HeaderValue): void {
    ctx.setHeader(name, value);
    headers[name.toLowerCase()] = value;
  }
  return withMembers(ctx, { context, setHeader });
}
