import type { ApiDefinition, Method } from "./definition.ts";
import { issue, toIssues } from "./errors.ts";
import type { ErrorMakers, HandlerContext, HeaderValue, MethodInfo } from "./handler.ts";
import { BodyFault, checkParsed, parseJson } from "./json.ts";
import type { Call, Limits, Upload } from "./options.ts";

/** Connects a call to its caller. Adapters create one per request. */
export interface Transport<Carrier> {
  readonly carrier: Carrier;
  /**
   * Whether compressed bodies can be sent. Platforms with `fetch` compress responses themselves, and some of them drop the
   * header `Content-Encoding`.
   */
  readonly sendsCompressed?: boolean;
  /** Returns a request header by its lower-case name. */
  header(name: string): string | undefined;
  /**
   * Calls back once if the caller disconnects before the response is sent. If the caller has already disconnected, calls
   * back immediately.
   */
  whenGone(callback: () => void): void;
  /** Whether a call is refused, because responses have not been read: by its address, or a large one by any caller. */
  isFull?(isLarge: boolean): boolean;
}

/** The caller's side of a call. */
export interface Caller<Carrier> {
  readonly transport: Transport<Carrier>;
  readonly requestId: string;
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal;
  /** Sets a header of the response. Throws if the header is not valid, or if the response has been sent. */
  setHeader(name: string, value: HeaderValue): void;
}

/* The objects that handlers and hooks receive for a call. Each exposes only what its receiver may use. */

/** The `ctx` of a handler. */
export class MethodCall<Carrier> implements HandlerContext<unknown> {
  readonly host: unknown;
  readonly #caller: Caller<Carrier>;
  readonly #method: Method;

  constructor(caller: Caller<Carrier>, method: Method, host: unknown) {
    this.host = host;
    this.#caller = caller;
    this.#method = method;
  }

  get method(): MethodInfo {
    return this.#method.info;
  }

  get errors(): ErrorMakers<string> {
    return this.#method.errors;
  }

  get requestId(): string {
    return this.#caller.requestId;
  }

  get signal(): AbortSignal {
    return this.#caller.signal;
  }

  setHeader(name: string, value: HeaderValue): void {
    this.#caller.setHeader(name, value);
  }
}

/** The `call` of a hook. */
export class HookCall<Carrier> implements Call<string, Carrier> {
  readonly method: MethodInfo;
  readonly errors: ErrorMakers<string>;
  readonly #caller: Caller<Carrier>;

  constructor(caller: Caller<Carrier>, method: MethodInfo, errors: ErrorMakers<string>) {
    this.#caller = caller;
    this.method = method;
    this.errors = errors;
  }

  get requestId(): string {
    return this.#caller.requestId;
  }

  get signal(): AbortSignal {
    return this.#caller.signal;
  }

  get carrier(): Carrier {
    return this.#caller.transport.carrier;
  }

  header(name: string): string | undefined {
    return this.#caller.transport.header(name);
  }
}

/* Reads the body of a call. */

/** A body that another parser has already read from the request. */
export interface ParsedBody {
  readonly value: unknown;
}

/**
 * The result of reading a body: its text, the result of another parser, or the reason why there is none. An error other
 * than an `RpcFailure` is a fault of the server.
 */
export type ReadBody = string | ParsedBody | BodyFault | Error;

/** The fault of a server whose middleware has read the body for itself. For the log. */
export function consumedBody(): Error {
  return new Error(
    "a middleware has read the body of the request: mount the API before this middleware, or let it leave the parsed body or its bytes in `body` or `rawBody`",
  );
}

/** The fault of a server whose middleware has changed the body to something else than bytes. For the log. */
export function unreadableBody(form: string): Error {
  return new Error(`a middleware has changed the body of the request to ${form}: leave it as bytes`);
}

/** Returns the bytes of a buffer, or of a view of one. */
export function bytesOf(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  const isBuffer =
    value instanceof ArrayBuffer || Object.prototype.toString.call(value) === "[object SharedArrayBuffer]";
  return isBuffer ? new Uint8Array(value as ArrayBuffer) : undefined;
}

/** The rules for reading a body. */
interface BodyRules {
  readonly limits: Limits;
  readonly api: ApiDefinition;
}

/** Returns the request for the handler, or a `BodyFault` if the body is invalid. */
export function readRequest(
  body: string | ParsedBody | BodyFault,
  { definition, readRequest: read }: Method,
  upload: Upload | undefined,
  rules: BodyRules,
): unknown {
  if (body instanceof BodyFault) return body;
  const mayBeMissing = definition.emptyRequest === true || upload !== undefined;
  const parsed = parseBody(body, mayBeMissing, rules);
  if (parsed instanceof BodyFault) return parsed;
  const request = parsed ?? {};
  if (typeof request !== "object" || Array.isArray(request)) {
    // Go servers ignore the body of such methods.
    if (definition.emptyRequest === true) return {};
    return BodyFault.of(toIssues([issue([], "an object", kindOf(request))]));
  }
  const issues = read?.(request);
  if (issues !== undefined) return BodyFault.of(issues);
  return upload?.addTo(request) ?? request;
}

function parseBody(
  body: string | ParsedBody,
  mayBeMissing: boolean,
  { limits: { jsonMaxDepth }, api }: BodyRules,
): unknown {
  if (typeof body !== "string") return checkParsed(body.value, jsonMaxDepth) ?? body.value;
  return body === "" && mayBeMissing ? {} : parseJson(body, jsonMaxDepth, api.json?.parse);
}

/** Returns the body as text: as received, or printed again if another parser has read it. */
export function requestText(body: string | ParsedBody): string {
  return typeof body === "string" ? body : (JSON.stringify(body.value) ?? "");
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}
