/**
 * What the parts of a client agree on. A client is a plain object that says where and how to call; a method is a function that
 * takes one. So a bundle holds the methods that it imports, and nothing of the others.
 */
import type { Transport } from "./transport.ts";

/** Where and how to call. The same one serves any number of services and schemas; spread it for a copy with other settings. */
export interface Client {
  /** Scheme, host and any path before the schema's own: `https://example.com/polygon`. Slashes at its end do no harm. */
  readonly url: string;
  /** Default: `fetch`. */
  readonly transport?: Transport;
  /** Sent with every call: asked anew each time, and for each try, so that it can answer with a fresh token. */
  readonly headers?: (call: Call) => HeaderValues | Promise<HeaderValues>;
  /** For a whole call, in milliseconds. Default 30,000: three times what a handler has; none where files are sent. 0: none. */
  readonly timeoutMs?: number;
  /** Stands around every call. For several: `chain(log, retries())`. */
  readonly interceptor?: Interceptor;
  /** Whether the header `Webrpc` says what the caller was made from. Default true. */
  readonly webrpcHeader?: boolean;
}

export type HeaderValues = Readonly<Record<string, string>>;

/** What one call may say beside its request. It wins over the client's settings; headers are added to them. */
export interface CallOptions {
  readonly headers?: HeaderValues;
  /** Gives the call up. In Node, more than ten calls at a time on one signal want `setMaxListeners(0, signal)` of `node:events`. */
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** Most tries after the first. Read by the interceptor `retries()`, without which there is none. */
  readonly retries?: number;
}

/** One call on its way. */
export interface Call<Req = unknown> extends CallOptions {
  readonly client: Client;
  readonly method: MethodInfo;
  readonly req: Req;
  /** In milliseconds, 0: none. */
  readonly timeoutMs: number;
}

/**
 * Stands around calls: `async (call, next) => { log(call); return next(call); }`. It may pass on a changed copy of the call, look at
 * the answer, catch an `RpcError`, or call `next` again; each `next` has the whole time-out.
 */
export type Interceptor = (call: Call, next: Next) => Promise<unknown>;

export type Next = (call: Call) => Promise<unknown>;

/** What the generator prints of a schema. */
export interface Schema {
  /** Starts and ends with "/". */
  readonly basepath: string;
  /** Value of the header `Webrpc`. */
  readonly webrpc: string;
  /** The errors that a client itself makes, by code. */
  readonly failures: Readonly<Record<Exclude<FailureCode, -9>, FailureInfo> & { [-9]?: FailureInfo }>;
}

/** -1: no answer. -5: an answer that is not the protocol's. -8: aborted by the caller. -9: a stream ended without an end. */
export type FailureCode = -1 | -5 | -8 | -9;

export interface FailureInfo {
  readonly name: string;
  readonly msg: string;
  /** Of HTTP, where no status came. */
  readonly status: number;
}

export interface MethodInfo extends MethodTraits {
  readonly schema: Schema;
  /** As in the schema. */
  readonly service: string;
  readonly name: string;
}

export interface MethodTraits {
  /** May happen twice, so that it is sent again when its answer was lost. */
  readonly idempotent?: boolean;
  /** In place of `JSON.stringify`, if JSON alone cannot print a request. */
  readonly print?: (req: unknown) => string;
  /** In place of `JSON.parse`, if it would lose digits of an answer. */
  readonly parse?: (text: string) => unknown;
  /** Completes an answer that JSON alone cannot carry. Throws if something in it does not fit. */
  readonly decode?: (answer: unknown) => unknown;
}
