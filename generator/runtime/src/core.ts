import { type ApiDefinition, buildMethods, type Method, requireStore } from "./definition.ts";
import { describeIssues, type ErrorInfo, type Issues } from "./errors.ts";
import { type ErrorMakers, errorMakers, type RaisedFailure, RpcFailure } from "./handler.ts";
import type { IdempotencyOptions } from "./idempotency.ts";
import {
  type CallLog,
  type CallRecord,
  contextHook,
  type Deadline,
  type Guard,
  type Limits,
  type ServerOptions,
  type StreamLimits,
  streamLimits,
  type UploadOptions,
  type UploadReceiver,
} from "./options.ts";
import {
  type Drainable,
  failureReply,
  type ProtocolErrorCode,
  protocolErrorCode,
  type Reply,
  successReply,
  withStatus,
} from "./reply.ts";
import { inNextTurn, numberOptions, sleep } from "./time.ts";
import type { Check } from "./validation.ts";

const defaultLimits: Limits = {
  bodyMaxBytes: 1024 * 1024,
  jsonMaxDepth: 64,
  unreadMaxBytes: 128 * 1024 * 1024,
  unreadMaxBytesPerAddress: 32 * 1024 * 1024,
  unreadMaxMs: 60_000,
};

const unreadCause = "earlier responses have not been read";

/** The state and settings of one server. */
export class Core<Carrier> {
  readonly api: ApiDefinition;
  readonly limits: Limits;
  readonly guards: readonly Guard<string, Carrier>[];
  readonly makeContext: ServerOptions<unknown, string, Carrier>["context"];
  readonly checkRequest: ServerOptions<unknown, string, Carrier>["checkRequest"];
  readonly watchBody: ServerOptions<unknown, string, Carrier>["watchBody"];
  readonly deadline: Deadline<string> | undefined;
  readonly uploads: UploadReceiver | undefined;
  readonly uploadOptions: UploadOptions | undefined;
  readonly isLogging: boolean;
  readonly isRecording: boolean;
  readonly streamLimits: StreamLimits;
  /** Streams that are still being sent. */
  readonly openBodies: Set<Drainable> = new Set();
  isDraining = false;
  readonly hasHooks: boolean;
  readonly schemaErrors: ErrorMakers<string>;
  readonly idempotency: IdempotencyOptions | undefined;
  readonly #options: ServerOptions<unknown, string, Carrier>;
  readonly #methods: ReadonlyMap<string, Method>;
  readonly largeWork: LargeWork = new LargeWork();
  /** Methods whose latest response was large. */
  readonly #largeMethods = new Set<Method["info"]>();
  readonly #protocolErrors: ReadonlyMap<number, ErrorInfo>;
  /** All errors that hooks may raise. */
  readonly #allErrors: ReadonlySet<ErrorInfo>;

  constructor(api: ApiDefinition, handlers: object, options: ServerOptions<unknown, string, Carrier>) {
    this.api = api;
    this.limits = numberOptions(defaultLimits, options.limits, "limits.");
    this.guards = options.guards ?? [];
    this.makeContext = contextHook(options);
    this.checkRequest = options.checkRequest;
    this.watchBody = options.watchBody;
    this.deadline = options.deadline;
    this.streamLimits = streamLimits(options.streams);
    numberOptions({ ms: 0 }, options.deadline, "deadline.");
    numberOptions({ responseMaxBytes: 0 }, options.idempotency, "idempotency.");
    this.uploads = api.uploads && (options.uploads?.receiver ?? api.uploads);
    this.uploadOptions = this.uploads && {
      ...numberOptions(this.uploads.defaults, options.uploads, "uploads."),
      folder: options.uploads?.folder,
    };
    this.isLogging = options.onResponse !== undefined;
    this.isRecording = options.recorder !== undefined;
    this.hasHooks = this.guards.length > 0 || this.makeContext !== undefined;
    this.schemaErrors = errorMakers(api.schemaErrors);
    this.#options = options;
    this.#methods = buildMethods(api, handlers);
    this.idempotency = options.idempotency;
    requireStore(this.#methods.values(), options);
    this.#protocolErrors = new Map(api.protocolErrors.map((error) => [error.code, error]));
    this.#allErrors = new Set([...api.protocolErrors, ...api.schemaErrors]);
  }

  /** Usually a single map look-up. A second one handles paths with percent-encoding. */
  findMethod(path: string): Method | undefined {
    return this.#methods.get(path) ?? (path.includes("%") ? this.#methods.get(decodePath(path)) : undefined);
  }

  requestId(carrier: Carrier): string {
    try {
      return this.#options.requestId?.(carrier) ?? newId();
    } catch {
      return newId();
    }
  }

  log(entry: CallLog<Carrier>): void {
    try {
      this.#options.onResponse?.(entry);
    } catch {
      // A failing log must not fail the call.
    }
  }

  record(call: CallRecord): void {
    try {
      this.#options.recorder?.record(call);
    } catch {
      // A failing recorder must not fail the call.
    }
  }

  protocolError(code: ProtocolErrorCode, about: ProtocolErrorDetails = {}): Reply {
    const info = this.#protocolErrors.get(code) ?? fallbackProtocolError(code);
    const { publicCause, headers, issues, cause } = about;
    return failureReply({ info, publicCause, headers, issues }, cause);
  }

  badRequest(reason: string, issues?: Issues): Reply {
    return this.protocolError(protocolErrorCode.badRequest, { publicCause: reason, issues, cause: reason });
  }

  badMethod(): Reply {
    return this.protocolError(protocolErrorCode.badMethod, {
      publicCause: "methods must be called with POST",
      headers: { Allow: "POST" },
    });
  }

  badRoute(path: string, carrier: Carrier, mismatch: string | undefined): Reply {
    const cause = [this.#routeAdvice(path, carrier), mismatch]
      .filter((text) => text !== undefined)
      .join("; ");
    return this.protocolError(protocolErrorCode.badRoute, cause === "" ? {} : { publicCause: cause });
  }

  #routeAdvice(path: string, carrier: Carrier): string | undefined {
    try {
      return this.#options.adviseRoute?.(path, carrier);
    } catch {
      return undefined;
    }
  }

  /** Converts what a hook threw or returned: to an error of the schema, or to an internal error without details. */
  fail(thrown: unknown): Reply {
    const declared = this.#toDeclaredFailure(thrown, this.#allErrors);
    return declared ?? this.#internalError(explainFailure(thrown, this.#allErrors, "a hook"));
  }

  /** Converts what a handler threw or returned: to an error of its method, or to what `unexpectedErrors` selects. */
  failMethod(method: Method, thrown: unknown): Reply {
    return this.#toDeclaredFailure(thrown, method.allowed) ?? this.#unexpected(thrown, method);
  }

  #unexpected(thrown: unknown, method: Method): Reply {
    const { unexpectedErrors = "internal" } = this.#options;
    const { service, name } = method.info;
    const cause = explainFailure(thrown, method.allowed, `${service}.${name}`);
    if (unexpectedErrors === "internal") return this.#internalError(cause);
    const publicCause = unexpectedErrors === "endpoint-with-message" ? messageOf(thrown) : undefined;
    return this.protocolError(protocolErrorCode.endpoint, { publicCause, cause });
  }

  #internalError(cause: unknown): Reply {
    return this.protocolError(protocolErrorCode.internalError, { cause });
  }

  #toDeclaredFailure(thrown: unknown, allowed: ReadonlySet<ErrorInfo>): Reply | undefined {
    const raised = RpcFailure.read(thrown);
    if (raised !== undefined && allowed.has(raised.info)) return this.#raise(raised, thrown as Caused);
    ignoreRejection(thrown);
    return this.#mapFailure(thrown);
  }

  /** Lets the option `mapError` map an undeclared error to an error of the schema. */
  #mapFailure(thrown: unknown): Reply | undefined {
    try {
      const failure = this.#options.mapError?.(thrown);
      const raised = RpcFailure.read(failure);
      return raised !== undefined && this.#allErrors.has(raised.info)
        ? this.#raise(raised, failure as Caused)
        : undefined;
    } catch {
      return undefined;
    }
  }

  /** Writes the data of a failure like a response. A kept version may not know the data. */
  #raise(raised: RaisedFailure, { cause }: Caused): Reply {
    const { name } = raised.info;
    const validator = this.api.validators.errorData?.[name];
    if (raised.data === undefined || validator === undefined) return failureReply(raised, cause);
    const data = this.#print(raised.data, validator.check, validator.write);
    if (typeof data === "string") return failureReply(raised, cause, data);
    return this.badResponse(
      typeof data.fault === "string" ? `the data of ${name}: ${data.fault}` : data.fault,
    );
  }

  /** Refuses a call because responses have not been read. `Retry-After` promises that the call had no effect. */
  unread({ hasRun }: { readonly hasRun: boolean }): Reply {
    const { unreadError } = this.#options;
    const reply =
      unreadError === undefined
        ? withStatus(
            this.protocolError(protocolErrorCode.endpoint, { publicCause: unreadCause, cause: unreadCause }),
            503,
          )
        : this.#failWith(unreadError);
    return { ...reply, headers: hasRun ? undefined : { "Retry-After": "1" } };
  }

  streamLost(cause: string): Reply {
    return this.protocolError(protocolErrorCode.streamLost, { publicCause: cause, cause });
  }

  /** Ends all streams. Settles when their handlers have finished. */
  async drain(): Promise<void> {
    this.isDraining = true;
    const open = [...this.openBodies];
    await Promise.all(open.map((body) => body.endAsLost("the server is stopping")));
  }

  deadlineExceeded(): Reply {
    return this.#failWith(this.deadline?.error);
  }

  #failWith(make: ((errors: ErrorMakers<string>) => RpcFailure) | undefined): Reply {
    try {
      return this.fail(make?.(this.schemaErrors));
    } catch (thrown) {
      return this.fail(thrown);
    }
  }

  /** Serializes the value that a handler returned. */
  encode(value: unknown, method: Method): Reply {
    const { definition, checkResponse, writeResponse } = method;
    if (definition.emptyResponse === true) return successReply("{}");
    const body = this.#print(value, checkResponse, writeResponse);
    if (typeof body !== "string") return this.badResponse(body.fault);
    this.#noteLength(body.length, method.info);
    return successReply(body);
  }

  /** Returns the JSON of a value, or why there is none. */
  #print(
    value: unknown,
    check: Method["checkResponse"],
    write: Method["writeResponse"],
  ): string | { readonly fault: unknown } {
    try {
      if (this.#options.checkResponses === true) {
        const issues = check?.(value);
        if (issues !== undefined) return { fault: describeIssues(issues) };
      }
      const written = write === undefined ? value : write(value);
      if (typeof written !== "object" || written === null) return { fault: "the response is not an object" };
      const { print = JSON.stringify } = this.api.json ?? {};
      const body: unknown = print(written);
      return typeof body === "string" ? body : { fault: "the response is not valid JSON" };
    } catch (thrown) {
      ignoreRejection(thrown);
      return { fault: explainFault(thrown, value, check) };
    }
  }

  #noteLength(length: number, info: Method["info"]): void {
    if (length >= largeMinLength) {
      if (!this.#largeMethods.has(info)) this.largeWork.pauseAfter(length);
      this.#largeMethods.add(info);
    } else if (this.#largeMethods.size > 0) this.#largeMethods.delete(info);
  }

  /** Whether the responses of a method are so large that each waits for its own turn of the event loop. */
  isLarge({ info }: Method): boolean {
    return this.#largeMethods.has(info);
  }

  badResponse(cause: unknown): Reply {
    return this.protocolError(protocolErrorCode.badResponse, { cause });
  }
}

interface ProtocolErrorDetails {
  readonly publicCause?: string | undefined;
  readonly issues?: Issues | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/**
 * Explains why a response could not be serialized. The check knows the path of the invalid value; the serializer does
 * not.
 */
function explainFault(thrown: unknown, value: unknown, check: Check | undefined): unknown {
  try {
    const issues = check?.(value);
    return issues === undefined ? thrown : describeIssues(issues);
  } catch {
    return thrown;
  }
}

/** Explains why an error of a schema does not reach the caller, with the place where it was created. Returns other values. */
function explainFailure(thrown: unknown, allowed: ReadonlySet<ErrorInfo>, raisedBy: string): unknown {
  try {
    const { name, code, stack } = thrown as Error & { readonly code?: unknown };
    const isForeign = [...allowed].some((info) => info.code > 0 && info.name === name && info.code === code);
    if (!isForeign && RpcFailure.read(thrown) === undefined) return thrown;
    const reason = isForeign
      ? " of other generated code: use the `errors` of the call"
      : ", which is not one of its errors";
    const text = `${raisedBy} raised ${name}${reason}`;
    return Object.assign(new Error(text), { cause: thrown, stack: `Error: ${text}\n${stack}` });
  } catch {
    return thrown;
  }
}

/** Longest message sent for an unexpected error, in UTF-16 units. */
const messageMaxLength = 1_000;

/** Returns the message of an error, or a thrown string. Undefined if there is none, or if reading it throws. */
function messageOf(thrown: unknown): string | undefined {
  try {
    const message: unknown = thrown instanceof Error ? thrown.message : thrown;
    if (typeof message !== "string" || message === "") return undefined;
    return message.length <= messageMaxLength ? message : `${message.slice(0, messageMaxLength - 1)}…`;
  } catch {
    return undefined;
  }
}

/** A handler may throw a promise. An unhandled rejection of that promise would end the process. */
function ignoreRejection(thrown: unknown): void {
  try {
    if (thrown instanceof Promise) thrown.catch(() => {});
  } catch {
    // A proxy may throw on any access.
  }
}

/** Decodes a path only if it is in canonical form, so that a proxy's path rules apply to every call of the method. */
function decodePath(path: string): string {
  try {
    const decoded = decodeURI(path);
    return encodeURI(decoded) === path ? decoded : path;
  } catch {
    return path;
  }
}

/** An error with a cause, for TypeScript libraries older than ES2022. */
interface Caused {
  readonly cause?: unknown;
}

let idPrefix: string | undefined;
let idCount = 0;

/**
 * Returns ids such as `k3x9q2vd-1`, `k3x9q2vd-2`. All servers of a process count together, such as those of its kept
 * versions. The random prefix distinguishes processes and restarts. It is created on the first call, because Workers do
 * not allow randomness at start.
 */
function newId(): string {
  idPrefix ??= randomPrefix();
  return `${idPrefix}-${++idCount}`;
}

function randomPrefix(): string {
  const parts = crypto.getRandomValues(new Uint32Array(2));
  return Array.from(parts, (part) => part.toString(36).padStart(7, "0").slice(-4)).join("");
}

/** Used for an API definition without the protocol error. Generated definitions contain all of them. */
function fallbackProtocolError(code: number): ErrorInfo {
  return { name: "WebrpcInternalError", code, message: "internal error", status: 500 };
}

/** Parsing or serializing a body of this length takes about a millisecond. In UTF-16 units. */
export const largeMinLength: number = 256 * 1024;

/**
 * Parses and prints large bodies one after the other, with pauses for other calls. A small call needs several turns of the
 * event loop, and would otherwise wait for a large body in each.
 */
export class LargeWork {
  /** Calls that have begun and not ended. */
  openCalls = 0;
  #waiting = 0;
  #endedAt = 0;
  #tookMs = 0;

  /** Each call waits by itself: some platforms stop the timers of a call that has ended. */
  async run(work: () => void): Promise<void> {
    this.#waiting++;
    await new Promise<void>((resolve) => inNextTurn(resolve));
    for (let ms = this.#pauseMs(); ms > 0; ms = this.#pauseMs()) {
      await sleep(ms, undefined);
      // Expired timers run before calls that have arrived.
      await new Promise<void>((resolve) => inNextTurn(resolve));
    }
    this.#waiting--;
    const startedAt = performance.now();
    work();
    this.#endedAt = performance.now();
    this.#tookMs = this.#endedAt - startedAt;
  }

  /** Pauses after a body of this length that did not wait: its method had small responses before. */
  pauseAfter(length: number): void {
    this.#endedAt = performance.now();
    this.#tookMs = length / largeMinLength;
  }

  /** How long to wait from now on: as long as the last body took if other calls are open. */
  #pauseMs(): number {
    const areOthersOpen = this.openCalls > this.#waiting;
    return this.#endedAt + (areOthersOpen ? this.#tookMs : 1) - performance.now();
  }
}
