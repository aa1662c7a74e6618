/** Where a host joins in: before the body is read, and after the answer is decided. */
import type { WatchBody } from "./body-watcher.ts";
import type { ErrorInfo, ErrorMakers, RpcFailure } from "./failure.ts";
import type { Awaitable, MethodInfo } from "./handler.ts";
import type { StreamLimits } from "./outgoing-stream.ts";
import type { UploadOptions } from "./upload.ts";

/** A call as hooks see it: addressed to a method, its body not read yet. */
export interface Call<ErrorName extends string = string, Carrier = unknown> {
  readonly method: MethodInfo;
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** What brought the call: Koa's context, Node's request, or the web's `Request`. */
  readonly carrier: Carrier;
  /** A header of the request by its name in lower case. */
  header(name: string): string | undefined;
  /** Every error of the schema: hooks are not bound to the method's own. */
  readonly errors: ErrorMakers<ErrorName>;
}

/** Lets a call pass, or answers (or throws) the error that refuses it: credentials, limits, blocked countries. */
export type Guard<ErrorName extends string = string, Carrier = unknown> = (
  call: Call<ErrorName, Carrier>,
  // biome-ignore lint/suspicious/noConfusingVoidType: a guard without a return statement answers void
) => Awaitable<RpcFailure<ErrorName> | undefined | void>;

export interface ServerOptions<Host = unknown, ErrorName extends string = string, Carrier = unknown> {
  /** Asked in this order once the method is known and before the body is read. */
  readonly guards?: readonly Guard<ErrorName, Carrier>[];
  /** Makes `ctx.host`, after the guards. */
  readonly context?: (call: Call<ErrorName, Carrier>) => Awaitable<Host | RpcFailure<ErrorName>>;
  /**
   * Called when a body is about to be read, after the guards. The watcher counts what arrives, and may refuse the rest: senders that are
   * too slow, or bodies that hold too much memory together.
   */
  readonly watchBody?: WatchBody<Carrier>;
  /**
   * Asked with the decoded request, once it has the right shape and before the handler: whether these credentials may ask for
   * this content. Throws or answers any error of the schema, at once.
   */
  readonly checkRequest?: (
    call: Call<ErrorName, Carrier>,
    request: unknown,
    host: Host,
  ) => RpcFailure<ErrorName> | undefined;
  /**
   * Asked about what a handler threw and has not declared: what lies below all handlers may refuse (a full queue), with any error of
   * the schema. Default, and where it answers undefined: what `unexpectedErrors` says.
   */
  readonly failureOf?: (thrown: unknown) => RpcFailure<ErrorName> | undefined;
  /**
   * What a caller gets of an error that the handler has not declared, after `failureOf`. "internal", the default: WebrpcInternalError
   * (-7, HTTP 500). "endpoint": WebrpcEndpoint (0, HTTP 400), as servers of webrpc-gen answer. Neither sends any text of the error;
   * "endpoint-with-message" sends its message as `cause`, as they do: messages may hold paths, queries and secrets. Hooks are
   * always "internal".
   */
  readonly unexpectedErrors?: "internal" | "endpoint" | "endpoint-with-message";
  /** What a caller of a path that names no method is told besides WebrpcBadRoute, such as the name that was meant. Default: nothing. */
  readonly adviseRoute?: (path: string, carrier: Carrier) => string | undefined;
  /** Called once a call, when its answer is decided. What it throws is dropped. */
  readonly onDone?: (log: CallLog<Carrier>) => void;
  /** Told of each call with its bodies, once it is answered: `openRecorder` of `recorder.ts` makes one. What it throws is dropped. */
  readonly recorder?: CallRecorder;
  /** The id of a call. Default, and where it answers undefined: eight random characters a process, then a count. Asked for at most once a call. */
  readonly requestId?: (carrier: Carrier) => string | undefined;
  /** Time of a handler, and the error that its caller gets past it. Of a stream: time to its beginning. Default: no bound. */
  readonly deadline?: Deadline<ErrorName>;
  /** Check every reply against the schema; one that fails is WebrpcBadResponse. For tests and development. Default false. */
  readonly checkResponses?: boolean;
  readonly limits?: Partial<Limits>;
  readonly streams?: Partial<StreamLimits>;
  readonly uploads?: Partial<UploadOptions>;
}

export interface Deadline<ErrorName extends string = string> {
  readonly ms: number;
  readonly error: (errors: ErrorMakers<ErrorName>) => RpcFailure<ErrorName>;
}

export interface Limits {
  /** Largest body that is read, in bytes. Default 1 MiB. */
  readonly bodyMaxBytes: number;
  /** Deepest nesting of lists and objects. Default 64: deep enough for typed data, shallow enough for any recursive walk. */
  readonly jsonMaxDepth: number;
}

/** One finished call, for the access log; a stream when it has ended. */
export interface CallLog<Carrier = unknown> {
  readonly requestId: string;
  /** Undefined if the path names none. */
  readonly method: MethodInfo | undefined;
  readonly path: string;
  readonly carrier: Carrier;
  /** Of HTTP, as sent. */
  readonly status: number;
  /** What the caller was told; undefined on success. WebrpcClientDisconnected if nobody was left to tell. */
  readonly error: ErrorInfo | undefined;
  /** Why: what the handler threw, the cause of a failure, the faults of a body. Never sent unless it was marked for the caller. */
  readonly cause: unknown;
  readonly durationMs: number;
}

export interface CallRecorder {
  record(call: CallRecord): void;
}

/** One finished call with its bodies. Nothing in it is redacted. */
export interface CallRecord {
  readonly method: MethodInfo;
  /** Of HTTP, as sent. */
  readonly status: number;
  readonly error: ErrorInfo | undefined;
  /** JSON as it arrived, without files; undefined if it was refused before it was read. */
  readonly request: string | undefined;
  /** JSON. `""` if it is a stream or a file. */
  readonly answer: string;
  /** The first items of a stream. */
  readonly items: readonly string[] | undefined;
  readonly isFile: boolean;
  readonly durationMs: number;
}
