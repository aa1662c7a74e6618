/** Hooks and options of a server. */
import type { WatchBody } from "./body-watcher.ts";
import type { ErrorInfo, ErrorMakers, RpcFailure } from "./failure.ts";
import type { Awaitable, MethodInfo } from "./handler.ts";
// @if keys
import type { IdempotencyOptions } from "./idempotency.ts";
// @end
import type { StreamLimits } from "./stream-server-limits.ts";
import type { UploadOptions } from "./upload.ts";

/** A call as hooks see it: its method is known, its body has not been read. */
export interface Call<ErrorName extends string = string, Carrier = unknown> {
  readonly method: MethodInfo;
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** What the adapter received: Koa's context, Node's `IncomingMessage`, or a Fetch API `Request`. */
  readonly carrier: Carrier;
  /** Returns a request header by its lower-case name. */
  header(name: string): string | undefined;
  /** All errors of the schema, not only those of the method. */
  readonly errors: ErrorMakers<ErrorName>;
}

/**
 * Lets a call pass by returning nothing, or rejects it by returning or throwing an error. Use guards for credentials,
 * rate limits or blocked countries.
 */
export type Guard<ErrorName extends string = string, Carrier = unknown> = (
  call: Call<ErrorName, Carrier>,
  // biome-ignore lint/suspicious/noConfusingVoidType: a guard without a return statement answers void
) => Awaitable<RpcFailure<ErrorName> | undefined | void>;

/** Options of `createServer`. */
export interface ServerOptions<Host = unknown, ErrorName extends string = string, Carrier = unknown> {
  /** Run in this order before the body is read. Only calls of known methods reach them. */
  readonly guards?: readonly Guard<ErrorName, Carrier>[];
  /** Creates `ctx.host`, after the guards. */
  readonly context?: (call: Call<ErrorName, Carrier>) => Awaitable<Host | RpcFailure<ErrorName>>;
  /**
   * Called before a body is read, after the guards. The watcher counts the bytes that arrive and can reject the rest,
   * for example if the sender is too slow or all bodies together use too much memory.
   */
  readonly watchBody?: WatchBody<Carrier>;
  /**
   * Called with the valid, decoded request, before the handler: checks whether these credentials allow this content.
   * Returns or throws any error of the schema. Must be synchronous.
   */
  readonly checkRequest?: (
    call: Call<ErrorName, Carrier>,
    request: unknown,
    host: Host,
  ) => RpcFailure<ErrorName> | undefined;
  /**
   * Maps an error that a handler threw but does not declare to any error of the schema, for example when a queue below
   * the handlers is full. If it is missing or returns undefined, `unexpectedErrors` applies.
   */
  readonly failureOf?: (thrown: unknown) => RpcFailure<ErrorName> | undefined;
  /**
   * What callers get for an error that the handler does not declare, after `failureOf`.
   *
   * - "internal", the default: WebrpcInternalError (-7, HTTP 500), without any text of the error.
   * - "endpoint": WebrpcEndpoint (0, HTTP 400), as servers of webrpc-gen respond, without any text of the error.
   * - "endpoint-with-message": WebrpcEndpoint with the error's message as `cause`, as servers of webrpc-gen respond.
   * Messages may contain paths, queries and secrets.
   *
   * Errors in hooks are always "internal".
   */
  readonly unexpectedErrors?: "internal" | "endpoint" | "endpoint-with-message";
  /** Adds advice to WebrpcBadRoute, such as the path that the caller probably meant. Default: none. */
  readonly adviseRoute?: (path: string, carrier: Carrier) => string | undefined;
  /** Called once for each call, when its response is known. Errors that it throws are ignored. */
  readonly onDone?: (log: CallLog<Carrier>) => void;
  /**
   * Receives every finished call with its bodies. `openRecorder` of the generated `recorder.ts` creates one. Errors
   * that it throws are ignored.
   */
  readonly recorder?: CallRecorder;
  /**
   * Returns the id of a call. Called at most once per call. Default, also if it returns undefined: eight random
   * characters per process, then a counter.
   */
  readonly requestId?: (carrier: Carrier) => string | undefined;
  /**
   * How long a handler may take, and the error that callers get afterwards. For a stream: until its first item can be
   * sent. Default: no limit.
   */
  readonly deadline?: Deadline<ErrorName>;
  /**
   * Checks every response against the schema. Invalid responses become WebrpcBadResponse. For tests and development.
   * Default false.
   */
  readonly checkResponses?: boolean;
  readonly limits?: Partial<Limits>;
  readonly streams?: Partial<StreamLimits>;
  readonly uploads?: Partial<UploadOptions>;
  // @if keys
  /** How calls of methods with `@idempotencyKey` are repeated. */
  readonly idempotency?: IdempotencyOptions<Host>;
  // @end
}

/** A time limit for handlers. */
export interface Deadline<ErrorName extends string = string> {
  readonly ms: number;
  readonly error: (errors: ErrorMakers<ErrorName>) => RpcFailure<ErrorName>;
}

/** Limits of request bodies. */
export interface Limits {
  /** Largest request body in bytes. Default 1 MiB. */
  readonly bodyMaxBytes: number;
  /** Deepest nesting of lists and objects. Default 64, which is safe for recursive code. */
  readonly jsonMaxDepth: number;
}

/** A finished call, for the access log. A stream is finished when it ends. */
export interface CallLog<Carrier = unknown> {
  readonly requestId: string;
  /** Undefined if no method has this path. */
  readonly method: MethodInfo | undefined;
  readonly path: string;
  readonly carrier: Carrier;
  /** The header `Webrpc` of the request, which names version and generator of the client. Ignored above 200 characters. */
  readonly client: string | undefined;
  /** HTTP status, as sent. */
  readonly status: number;
  /** The error that was sent; undefined on success. The built-in error with code -8 if the caller had disconnected. */
  readonly error: ErrorInfo | undefined;
  /**
   * The reason of the error: what the handler threw, the cause of a failure, or the issues of a body. Only sent to
   * callers if it was marked with `expose`.
   */
  readonly cause: unknown;
  readonly durationMs: number;
}

/** Records finished calls. */
export interface CallRecorder {
  record(call: CallRecord): void;
}

/** A finished call with its bodies, unredacted. */
export interface CallRecord {
  readonly method: MethodInfo;
  /** HTTP status, as sent. */
  readonly status: number;
  readonly error: ErrorInfo | undefined;
  /** JSON as received, without files. Undefined if the call was rejected before its body was read. */
  readonly request: string | undefined;
  /** JSON. `""` for a stream or a file. */
  readonly answer: string;
  /** The first items of a stream. */
  readonly items: readonly string[] | undefined;
  readonly isFile: boolean;
  readonly durationMs: number;
}
