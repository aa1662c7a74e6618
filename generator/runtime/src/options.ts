import type { AroundEntry } from "./around.ts";
import type { ErrorInfo } from "./errors.ts";
import type {
  Awaitable,
  ContextOfAny,
  ErrorMakers,
  Found,
  MethodInfo,
  Nothing,
  PlainContext,
  RpcFailure,
} from "./handler.ts";
import type { IdempotencyOptions } from "./idempotency.ts";
import { BodyFault, hasOwn } from "./json.ts";
import { checkOption, longestMs, numberOptions } from "./time.ts";

/* Watches request bodies while they arrive, so that a host can limit their total memory and reject slow senders. */

/** A request body that is about to be read. */
export interface ArrivingBody<Carrier = unknown> {
  /** What the adapter received: Koa's context, Node's `IncomingMessage`, or a Fetch API `Request`. */
  readonly carrier: Carrier;
  /** The body is a form, and its files are stored on disk instead of in memory. */
  readonly hasFiles: boolean;
  /**
   * Stops reading. The call fails with this error, or with WebrpcBadRequest and this reason. Do not call it before the
   * watcher is returned.
   */
  readonly refuse: (refusal: string | RpcFailure) => void;
}

/** Counts the bytes of one request body. */
export interface BodyWatcher {
  arrived(bytes: number): void;
  /** Called once, when the body is complete, rejected, or cut off. */
  ended(): void;
}

/** Creates the watcher of a request body. */
type WatchBody<Carrier = unknown> = (body: ArrivingBody<Carrier>) => BodyWatcher;

/** Why a body was rejected. */
export type BodyRefusal = BodyFault | RpcFailure;

/** A call whose request body the host may watch. */
export interface WatchedCall {
  /** Returns undefined if the host watches no bodies. */
  watchBody(refuse: (refusal: BodyRefusal) => void): BodyWatcher | undefined;
}

export function asRefusal(refusal: string | RpcFailure): BodyRefusal {
  return typeof refusal === "string" ? new BodyFault(refusal) : refusal;
}

/** Limits of streams. */
export interface StreamLimits {
  /**
   * Interval between heartbeats in milliseconds. Default 10,000, which webrpc uses: its clients give up after 11 s to
   * 22 s. 0: none.
   */
  readonly pingMs: number;
  /**
   * Longest duration of a stream in milliseconds. Its caller then gets WebrpcStreamLost and reconnects. Default 0: no
   * limit.
   */
  readonly maxMs: number;
}

/** @throws RangeError if a limit is not a number from 0. */
export function streamLimits(given?: Partial<StreamLimits>): StreamLimits {
  return numberOptions({ pingMs: 10_000, maxMs: 0 }, given, "streams.");
}

/* Uploads: types shared by the server and both receivers. */

/** An argument that is a file, or a field of an argument. */
export interface FileField {
  readonly name: string;
  readonly isOptional?: true;
  readonly isList?: true;
  /** The argument whose field it is. */
  readonly within?: string;
}

/** Limits and storage of uploads. */
export interface UploadOptions {
  /** Largest file in bytes. Default: 64 MiB on disk, 8 MiB in memory. */
  readonly fileMaxBytes: number;
  /** Maximum number of files per call. Default: 10 on disk, 4 in memory. */
  readonly filesMax: number;
  /**
   * Parent of the folders for uploaded files; each call has its own folder. Default: the system's temporary folder.
   * Ignored if files are kept in memory.
   */
  readonly folder?: string | undefined;
}

/** The form of one call. */
export interface UploadCall extends UploadOptions, WatchedCall {
  readonly contentType: string;
  readonly fields: readonly FileField[];
  /** Largest `json` part, in bytes. */
  readonly bodyMaxBytes: number;
}

/** The received form of one call. */
export interface Upload {
  /** The `json` part: all arguments that are not files. Empty if the form has none. */
  readonly json: string;
  /** Adds the files to the request, replacing JSON values of the same names. Reports required files that are missing. */
  addTo(request: object): BodyFault | undefined;
  /** Deletes the files that the handler has not moved. */
  discard(): Promise<void>;
}

/** Stores the files of a form, on disk or in memory. */
export interface UploadReceiver {
  readonly defaults: Omit<UploadOptions, "folder">;
  /** Whether files are kept in memory. If so, hosts count them when they limit memory. */
  readonly isInMemory: boolean;
  /** Reads a form. Rejects only if the host fails, for example because the disk is full. */
  readonly receive: (body: AsyncIterable<Uint8Array>, call: UploadCall) => Promise<Upload | BodyRefusal>;
}

/* Hooks and options of a server. */

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
export type Guard<ErrorName extends string = never, Carrier = unknown> = (
  call: Call<ErrorName, Carrier>,
) => Awaitable<RpcFailure<ErrorName> | undefined | Nothing>;

/** By the name of an annotation. Hooks are required for those that add to the type of the context. */
type AnnotationHooks<Context, ErrorName extends string, Carrier, AnnotationName extends string> = {
  readonly [Name in keyof Found<Context> & AnnotationName]: AnnotationHook<
    Context,
    ErrorName,
    Carrier,
    Found<Context>[Name]
  >;
} & {
  readonly [Name in Exclude<AnnotationName, keyof Found<Context>>]?: AnnotationHook<
    Context,
    ErrorName,
    Carrier,
    object | undefined | Nothing
  >;
};

/** Returns fields that are added to `ctx.context`, or rejects the call by returning or throwing an error. */
type AnnotationHook<Context, ErrorName extends string, Carrier, Fields> = (
  call: Call<ErrorName, Carrier>,
  context: ContextOfAny<Context>,
) => Awaitable<Fields | RpcFailure<ErrorName>>;

/** Options of `createServer`. */
export interface ServerOptions<
  Context = unknown,
  ErrorName extends string = never,
  Carrier = unknown,
  Handlers = object,
  AnnotationName extends string = string,
> {
  /** Run in this order before the body is read. Only calls of known methods reach them. */
  readonly guards?: readonly Guard<ErrorName, Carrier>[];
  /** Creates `ctx.context`, after the guards. */
  readonly context?: (
    call: Call<ErrorName, Carrier>,
  ) => Awaitable<PlainContext<Context> | RpcFailure<ErrorName>>;
  /**
   * Checks the calls of methods with an annotation, after `context` and in this order. What a hook returns is added to
   * `ctx.context`; the type `Annotated` names it. Hooks get the context with the fields of the hooks before them. Contexts
   * are copied, so they have to be plain objects.
   */
  readonly annotations?: AnnotationHooks<Context, ErrorName, Carrier, AnnotationName>;
  /** Run around handlers, the first outermost, with the valid, decoded request. */
  readonly around?: readonly AroundEntry<NoInfer<Context>, NoInfer<Handlers>, AnnotationName>[];
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
    context: ContextOfAny<Context>,
  ) => RpcFailure<ErrorName> | undefined;
  /**
   * Maps an error that a handler threw but does not declare, or that a guard or another hook threw, to any error of the
   * schema, for example when a queue below the handlers is full. If it is missing or returns undefined, `unexpectedErrors` applies.
   */
  readonly mapError?: (thrown: unknown) => RpcFailure<ErrorName> | undefined;
  /**
   * What callers get for an error that the handler does not declare, after `mapError`.
   *
   * - "internal", the default: WebrpcInternalError (-7, HTTP 500), without any text of the error.
   * - "endpoint": WebrpcEndpoint (0, HTTP 400), as servers of webrpc-gen respond, without any text of the error.
   * - "endpoint-with-message": WebrpcEndpoint with the error's message as `cause`, as servers of webrpc-gen respond.
   * Messages may contain paths, queries and secrets.
   *
   * Errors in hooks are "internal" unless `mapError` maps them.
   */
  readonly unexpectedErrors?: "internal" | "endpoint" | "endpoint-with-message";
  /** Adds advice to WebrpcBadRoute, such as the path that the caller probably meant. Default: none. */
  readonly adviseRoute?: (path: string, carrier: Carrier) => string | undefined;
  /** Called once for each call, when its response is known. Errors that it throws are ignored. */
  readonly onResponse?: (log: CallLog<Carrier>) => void;
  /**
   * Receives every finished call with its bodies. `createRecorder` of the generated `recorder.ts` creates one. Errors
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
   * The error of calls that are refused because responses have not been read: see `Limits`. Default: WebrpcEndpoint with
   * HTTP status 503. Calls that have not run also get `Retry-After`.
   */
  readonly unreadError?: (errors: ErrorMakers<ErrorName>) => RpcFailure<ErrorName>;
  /**
   * Checks every response against the schema. Invalid responses become WebrpcBadResponse. For tests and development.
   * Default false.
   */
  readonly checkResponses?: boolean;
  readonly limits?: Partial<Limits>;
  readonly streams?: Partial<StreamLimits>;
  readonly uploads?: Partial<UploadOptions> & {
    /**
     * `uploadReceiver` of `uploads-on-disk` or `uploads-in-memory`. Default: by the selected adapters, and for both kinds
     * the one of the platform. Copies of the runtime then use the one in memory.
     */
    readonly receiver?: UploadReceiver;
  };
  /** How calls of methods with `@idempotencyKey` are repeated. */
  readonly idempotency?: IdempotencyOptions<Context>;
}

/** Returns the hook that creates `ctx.context`: `context`, and then those of the annotations of the method. */
export function contextHook<Carrier>({
  context,
  annotations,
}: ServerOptions<unknown, string, Carrier>): ServerOptions<unknown, string, Carrier>["context"] {
  if (annotations === undefined) return context;
  const hooks = Object.entries(annotations);
  return async (call) => {
    let made = await context?.(call);
    checkPlain("context", made);
    for (const [name, hook] of hooks) {
      if (hook === undefined || !hasOwn(call.method.annotations, name)) continue;
      const found = await hook(call, made ?? {});
      checkPlain(`annotations.${name}`, found);
      // False may mean that the call is not allowed.
      if (found === null || (found !== undefined && typeof found !== "object"))
        throw new TypeError(`annotations.${name}: expected fields of the context, an error or nothing`);
      made = { ...(made as object | undefined), ...(found as object | undefined) };
    }
    return made;
  };
}

/** @throws an error that a hook returned, and TypeError for instances of classes, which a copy would empty. */
function checkPlain(at: string, made: unknown): void {
  if (made instanceof Error) throw made;
  if (typeof made !== "object" || made === null) return;
  const prototype: unknown = Object.getPrototypeOf(made);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
    throw new TypeError(`${at}: expected a plain object, because hooks of annotations add fields to a copy`);
}

/** A time limit for handlers. */
export interface Deadline<ErrorName extends string> {
  /** In milliseconds. 0: no limit. */
  readonly ms: number;
  readonly error: (errors: ErrorMakers<ErrorName>) => RpcFailure<ErrorName>;
}

/** Limits of request bodies and of responses. */
export interface Limits {
  /** Largest request body in bytes. Default 1 MiB. */
  readonly bodyMaxBytes: number;
  /** Deepest nesting of lists and objects. Default 64, which is safe for recursive code. */
  readonly jsonMaxDepth: number;
  /**
   * Most bytes of responses that wait in memory for callers who read slowly. Above it, the response that has waited
   * longest without progress is cut off, and calls of methods with large responses are refused for a second, with
   * `unreadError`. A single response may have any size. Default 128 MiB, a quarter of a small container.
   */
  readonly unreadMaxBytes: number;
  /**
   * The same for one address, with `koaMiddleware` and `nodeListener`. Behind a proxy, Koa's `app.proxy` and Express's
   * `trust proxy` select the address of the caller. At the limit, and for a second after a response exceeded it, all
   * calls of the address are refused. Default 32 MiB, so that four callers fit into `unreadMaxBytes`.
   */
  readonly unreadMaxBytesPerAddress: number;
  /**
   * How long a response may wait for its caller without any progress before the connection is closed, in milliseconds.
   * Default 60,000, as in nginx. 0: no limit.
   */
  readonly unreadMaxMs: number;
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
  /** HTTP status, as sent. 499, as in nginx, if the caller had disconnected, for example left a stream. */
  readonly status: number;
  /**
   * The error that was sent, as the current version names it; undefined on success. The protocol error with code -8 if
   * the caller had disconnected.
   */
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

/* Bounds the memory of responses that callers do not read. */

/** The limits of responses that callers do not read. */
export type UnreadLimits = Pick<Limits, "unreadMaxBytes" | "unreadMaxBytesPerAddress" | "unreadMaxMs">;

/** Responses below this size are not counted: the system's buffers hold them. In bytes. */
export const unreadMinBytes: number = 16 * 1024;

/** The reason in the log of a call whose caller does not read. */
export const stoppedReading = "the caller stopped reading";

/** A response that is being sent. */
export interface UnreadResponse {
  /** Sets how many bytes wait for the caller. */
  set(bytes: number): void;
  /** Ends the response early, because its caller does not read. */
  cutOff(): void;
}

/**
 * Counts the bytes of responses that wait for their callers. Above a limit, the response that has waited longest without
 * progress is cut off. A single response may have any size.
 */
export class UnreadResponses {
  readonly #limits: UnreadLimits;
  readonly #onCutOff: (() => void) | undefined;
  /** In the order of their latest progress. */
  readonly #waiting = new Set<Waiting>();
  readonly #bytesByAddress = new Map<string | undefined, number>();
  /** Until when calls of an address, and large ones of all, are refused. In the order of these times. */
  readonly #fullUntil = new Map<string | undefined, number>();
  #bytes = 0;

  /**
   * `onCutOff` is called for each response that is cut off.
   *
   * @throws RangeError if a limit is not a number from 0.
   */
  constructor(limits: UnreadLimits, onCutOff?: () => void) {
    for (const name of ["unreadMaxBytes", "unreadMaxBytesPerAddress", "unreadMaxMs"] as const)
      checkOption(`limits.${name}`, limits[name]);
    this.#limits = limits;
    this.#onCutOff = onCutOff;
  }

  /** How long a response may wait without progress, in milliseconds that a timer can count. 0: no limit. */
  get maxMs(): number {
    const { unreadMaxMs } = this.#limits;
    return unreadMaxMs <= longestMs ? unreadMaxMs : 0;
  }

  /**
   * Whether to refuse a call, with a large response or a small one. Refusing costs little; creating responses that are cut
   * off costs much. Calls of an address are refused at its limit, and for a second after a response exceeded it. Calls
   * with large responses are also refused for a second after a response exceeded the limit of all.
   */
  isFull(isLarge: boolean, addressOf: () => string | undefined): boolean {
    // Nearly always: no address can be at its limit.
    if (this.#bytes < this.#limits.unreadMaxBytesPerAddress && this.#fullUntil.size === 0) return false;
    if (isLarge && this.#wasExceeded(undefined)) return true;
    const address = addressOf();
    if (address === undefined) return false;
    const bytes = this.#bytesByAddress.get(address) ?? 0;
    return bytes >= this.#limits.unreadMaxBytesPerAddress || this.#wasExceeded(address);
  }

  #wasExceeded(address: string | undefined): boolean {
    const until = this.#fullUntil.get(address);
    return until !== undefined && until > performance.now();
  }

  /** Starts to count a response. An unknown address has no limit of its own. */
  open(address: string | undefined, onCutOff: () => void): UnreadResponse {
    const response: Waiting = {
      address,
      bytes: 0,
      set: (bytes) => this.#set(response, bytes),
      cutOff: () => {
        this.#set(response, 0);
        this.#onCutOff?.();
        onCutOff();
      },
    };
    return response;
  }

  #set(response: Waiting, bytes: number): void {
    const { address } = response;
    const added = bytes - response.bytes;
    const bytesOfAddress = (this.#bytesByAddress.get(address) ?? 0) + added;
    response.bytes = bytes;
    this.#bytes += added;
    if (bytesOfAddress > 0) this.#bytesByAddress.set(address, bytesOfAddress);
    else this.#bytesByAddress.delete(address);
    this.#waiting.delete(response);
    if (bytes > 0) this.#waiting.add(response);
    if (added > 0) this.#bound(response);
  }

  #bound(latest: Waiting): void {
    const { unreadMaxBytes, unreadMaxBytesPerAddress } = this.#limits;
    const { address } = latest;
    for (const response of this.#waiting) {
      if (response === latest) return;
      const isAddressFull =
        address !== undefined && (this.#bytesByAddress.get(address) ?? 0) > unreadMaxBytesPerAddress;
      const isOfAddress = response.address === address;
      const isFull = this.#bytes > unreadMaxBytes;
      if (isFull) this.#refuse(undefined);
      if (isAddressFull) this.#refuse(address);
      if (isFull || (isAddressFull && isOfAddress)) response.cutOff();
      else if (!isAddressFull) return;
    }
  }

  #refuse(address: string | undefined): void {
    const now = performance.now();
    for (const [earlier, until] of this.#fullUntil) {
      if (until > now) break;
      this.#fullUntil.delete(earlier);
    }
    this.#fullUntil.delete(address);
    this.#fullUntil.set(address, now + refusedMs);
  }
}

/** The time in `Retry-After` of the refusals. */
const refusedMs = 1_000;

interface Waiting extends UnreadResponse {
  readonly address: string | undefined;
  bytes: number;
}
