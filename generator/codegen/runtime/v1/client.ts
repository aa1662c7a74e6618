/**
 * Types shared by all parts of a client. A client is a plain object with the address and settings, and a method is a
 * function that takes one. A bundle therefore contains only the methods that it imports.
 */
import type { Transport } from "./transport.ts";

/**
 * Where and how to call a server. One client works for any number of services and schemas; spread it to copy it with
 * other settings.
 */
export interface Client {
  /**
   * Scheme, host and path in front of the schema's own path: `https://example.com/polygon`. Trailing slashes are
   * ignored.
   */
  readonly url: string;
  /** Sends the requests. Default: `fetch`. */
  readonly transport?: Transport;
  /** Headers for every call. Called for each attempt, so it can return a fresh token. */
  readonly headers?: (call: Call) => HeaderValues | Promise<HeaderValues>;
  /** Time-out of a whole call in milliseconds. Default 30,000, and no limit for calls that send files. 0: no limit. */
  readonly timeoutMs?: number;
  /** Wraps every call. Combine several with `chain(log, retries())`. */
  readonly interceptor?: Interceptor;
  /** Whether to send the header `Webrpc`, which names the schema version of this client. Default true. */
  readonly webrpcHeader?: boolean;
  // @if reads
  /** How reads without a route are called: `byGet` or `byQuery`, so that caches can answer. Default: by POST. */
  readonly reads?: ReadForm;
  // @end
}

/** HTTP headers by name. */
export type HeaderValues = Readonly<Record<string, string>>;

// @if reads
/** A method called by POST. */
export type PostMethod = (client: Client, req: unknown, options: CallOptions | undefined) => Promise<unknown>;

/** How reads without a route are called: `byGet` or `byQuery`. */
export type ReadForm = (...call: [method: PostMethod, ...Parameters<PostMethod>]) => Promise<unknown>;

// @end
/** Options of a single call. They take precedence over the client's settings; headers are added to the client's. */
export interface CallOptions {
  readonly headers?: HeaderValues;
  /**
   * Aborts the call. In Node, call `setMaxListeners(0, signal)` of `node:events` if more than ten calls share one
   * signal.
   */
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** Retries after the first attempt, at most. Only the interceptor `retries()` reads it. */
  readonly retries?: number;
  // @if keys
  /**
   * Repeating a call of a method with `@idempotencyKey` with the same key and request has no second effect. 1 to 255
   * printable ASCII characters. Default: a new random text for each call. Other methods ignore it.
   */
  readonly idempotencyKey?: string;
  // @end
}

/** A call as interceptors and hooks see it. */
export interface Call<Req = unknown> extends CallOptions {
  readonly client: Client;
  readonly method: MethodInfo;
  readonly req: Req;
  /** In milliseconds. 0: no limit. */
  readonly timeoutMs: number;
}

/**
 * Wraps calls: `async (call, next) => { log(call); return next(call); }`. An interceptor may pass on a changed copy of
 * the call, read the response, catch an `RpcError`, or call `next` again. Each `next` has the full time-out.
 */
export type Interceptor = (call: Call, next: Next) => Promise<unknown>;

/** Continues a call: runs the next interceptor, or sends the request. */
export type Next = (call: Call) => Promise<unknown>;

/** The parts of a schema that a client needs. */
export interface Schema {
  /** Starts and ends with "/". */
  readonly basepath: string;
  /** Value of the header `Webrpc`. */
  readonly webrpc: string;
  /** The errors that the client itself raises, by code. */
  readonly failures: Readonly<Record<Exclude<FailureCode, -9>, FailureInfo> & { [-9]?: FailureInfo }>;
}

/**
 * -1: no response. -5: a response that does not follow the protocol. -8: aborted by the caller. -9: a stream broke off.
 */
export type FailureCode = -1 | -5 | -8 | -9;

/** An error that the client itself raises. */
export interface FailureInfo {
  readonly name: string;
  readonly msg: string;
  /** HTTP status of the error if no response came. */
  readonly status: number;
}

/** A method as interceptors and cache keys see it. */
export interface MethodInfo extends MethodTraits {
  readonly schema: Schema;
  /** Name in the schema. */
  readonly service: string;
  readonly name: string;
}

/** How the requests and responses of a method are sent and read. */
export interface MethodTraits {
  /** The method can safely be repeated, so a call is retried when its response was lost. */
  readonly idempotent?: boolean;
  /** Replaces `JSON.stringify` for requests with values that JSON cannot represent. */
  readonly print?: (req: unknown) => string;
  /** Replaces `JSON.parse` for responses with integers that would lose digits. */
  readonly parse?: (text: string) => unknown;
  /** Converts a parsed response to the types of TypeScript. Throws if a value does not match its type. */
  readonly decode?: (answer: unknown) => unknown;
}
