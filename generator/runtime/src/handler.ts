import type { ErrorInfo, Issues } from "./errors.ts";
import { hasOwn } from "./json.ts";

export type { ErrorInfo } from "./errors.ts";

/*
 * Errors of the contract, as handlers and hooks raise them: `return ctx.errors.NotFound()`. They have their own type,
 * so the compiler knows which errors a method may return. Throwing them works, too.
 */

/** Details of a failure: its cause and headers. */
export type FailureAbout = PrivateCause | PublicCause;

interface PrivateCause extends FailureHeaders {
  /** For the log only: the caught error, or any text. */
  readonly cause?: unknown;
  readonly expose?: false;
}

interface PublicCause extends FailureHeaders {
  /** Sent to the caller because `expose` is true. */
  readonly cause: string;
  readonly expose: true;
}

interface FailureHeaders {
  /** Headers of the response: `{ "Retry-After": "30" }`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The name of an error with the type of its data. The text itself is assignable. */
export type WithData<Name extends string, Data> = Name & {
  /** For the compiler only. */
  readonly "~data"?: { readonly of: Name; readonly type: Data };
};

interface AnyData<Name extends string, Data> {
  readonly "~data"?: { readonly of: Name; readonly type: Data };
}

type PlainName<Name extends string> = Name extends AnyData<infer Plain, unknown> ? Plain : Name;

/** Creates an error of the schema: `errors.NotFound()`. An error with data takes it first. */
export type ErrorMaker<Name extends string> =
  Name extends AnyData<infer Plain, infer Data>
    ? (data: Data, about?: FailureAbout) => RpcFailure<Plain>
    : string extends Name
      ? (...given: readonly never[]) => RpcFailure
      : (about?: FailureAbout) => RpcFailure<Name>;

/**
 * A function for each error: `errors.NotFound({ cause: "no such audience", expose: true })`, or
 * `errors.SoldOut({ left: 2 }, { cause })` for an error with data.
 */
export type ErrorMakers<Name extends string> = { readonly [Key in Name as PlainName<Key>]: ErrorMaker<Key> };

/**
 * Excludes failures from the type of responses. Without it, a response type without required fields would accept any
 * object.
 */
export interface NotAFailure {
  readonly "~raises"?: never;
}

/** Not in fields of the class: a private field would make failures of two copies of the runtime different types. */
const failures = new WeakMap<object, RaisedFailure>();

const hidden = { writable: true, configurable: true, enumerable: false };

/**
 * A failure of one call. Created only by `ctx.errors`, `call.errors` or `rpcError`. An object that merely looks like
 * one, or belongs to another API, counts as an unknown error, and none of its text is sent.
 */
export class RpcFailure<Name extends string = string> extends Error {
  /** For the compiler only. No field of a schema can have this name. */
  declare readonly "~raises": Name;
  readonly code: number;
  readonly status: number;

  constructor(info: ErrorInfo, about: FailureAbout = {}, data?: unknown) {
    super(info.message);
    // Sets `cause` like ES2022 does, which older TypeScript libraries do not declare.
    if (about.cause !== undefined) Object.defineProperty(this, "cause", { value: about.cause, ...hidden });
    this.name = info.name;
    this.code = info.code;
    this.status = info.status;
    const { headers, cause, expose } = about;
    const publicCause = expose === true && typeof cause === "string" ? cause : undefined;
    failures.set(this, { info, publicCause, headers, data });
  }

  /** Returns the failure as it was created, even if its properties changed later. Undefined for any other value. */
  static read(value: unknown): RaisedFailure | undefined {
    return failures.get(value as object);
  }
}

/** The parts of a failure that become an error response. */
export interface RaisedFailure {
  readonly info: ErrorInfo;
  readonly publicCause: string | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** Set if the request does not match its type. */
  readonly issues?: Issues | undefined;
  /** As the handler gave it. */
  readonly data?: unknown;
}

/** Returns a function that creates each given error, by name. */
export function errorMakers<Name extends string>(infos: readonly ErrorInfo[]): ErrorMakers<Name> {
  const makers = infos.map((info) => [
    info.name,
    info.hasData
      ? (data: unknown, about?: FailureAbout) => new RpcFailure(info, about, data)
      : (about?: FailureAbout) => new RpcFailure(info, about),
  ]);
  return Object.freeze(Object.fromEntries(makers)) as ErrorMakers<Name>;
}

/** A function for each error of the schema, and one for the protocol errors. */
export type ApiErrorMakers<Name extends string> = ErrorMakers<Name> & {
  /**
   * Creates a protocol error by its code. Only needed for interop: the server raises them itself.
   *
   * @throws RangeError if there is no protocol error with this code.
   */
  readonly protocolError: (code: number, about?: FailureAbout) => RpcFailure<never>;
};

/** Returns functions that create any error of an API, for code below the handlers. */
export function apiErrorMakers<Name extends string>(
  schemaErrors: readonly ErrorInfo[],
  protocolErrors: readonly ErrorInfo[],
): ApiErrorMakers<Name> {
  function protocolError(code: number, about?: FailureAbout): RpcFailure<never> {
    const info = protocolErrors.find((error) => error.code === code);
    if (info === undefined) throw new RangeError(`there is no protocol error with the code ${code}`);
    return new RpcFailure<never>(info, about);
  }
  return { ...errorMakers<Name>(schemaErrors), protocolError };
}

/* The types of handlers and of what they receive. */

/** A value, or a promise of it. */
export type Awaitable<Value> = Value | Promise<Value>;

/**
 * A method of a service: `(ctx, req) => response`. Returns the response or one of the method's errors. If it throws
 * anything else, the caller gets WebrpcInternalError with a fixed text, and the error is logged.
 */
export type Handler<Context, Request, Reply, ErrorName extends string> = (
  ctx: HandlerContext<Context, ErrorName>,
  req: Request,
) => Awaitable<NoFailure<Reply> | RpcFailure<ErrorName>>;

/** Some response types would otherwise accept failures of other methods: those with only optional fields, for example. */
export type NoFailure<Reply> = RpcFailure extends Reply ? Reply & NotAFailure : Reply;

/** The response of a method without outputs: nothing, or `{}`. */
export type NoFields = Nothing | Record<string, never>;

/** What a function without a return statement returns. Linters accept `void` only as the argument of a type. */
export type Nothing = Awaited<void>;

/** The `ctx` of a handler. */
export interface HandlerContext<Context, ErrorName extends string = string> {
  readonly method: MethodInfo;
  /** Identifies the call in the log. Sent as `X-Request-Id` if the call fails. */
  readonly requestId: string;
  /** Aborts when the caller disconnects or the deadline passes. Pass it to everything that waits. */
  readonly signal: AbortSignal;
  /** What the server's `context` hook returned for this call. */
  readonly context: Context;
  /** The errors that this method may raise: `return ctx.errors.NotFound()`. */
  readonly errors: ErrorMakers<ErrorName>;
  /**
   * Sets a header of the response, or of an error of the method: `ctx.setHeader("Set-Cookie", ["a=1", "b=2"])`. A second
   * call with the same name replaces the first. Headers of the protocol and those of `@cache` take precedence. Throws if
   * the header is not valid, or if the response has been sent; a generator that streams items runs after that.
   */
  setHeader(name: string, value: HeaderValue): void;
}

/** Returns a `ctx` with other members. */
export function withMembers(
  ctx: HandlerContext<unknown>,
  members: Partial<HandlerContext<unknown>>,
): HandlerContext<unknown> {
  return new Proxy(ctx, {
    get(target, name) {
      // The getters of the given one read its private fields.
      return hasOwn(members, name) ? Reflect.get(members, name) : Reflect.get(target, name);
    },
  });
}

/** Returns a stream that throws the error that its generator returns: loops ignore what a generator returns. */
export function throwingReturned<Result>(result: Result): Result {
  if (!isAsyncIterable(result)) return result;
  let iterator: AsyncIterator<unknown> | undefined;
  const start = (): AsyncIterator<unknown> => (iterator ??= result[Symbol.asyncIterator]());
  const stream: AsyncIterableIterator<unknown> = {
    [Symbol.asyncIterator]: () => {
      start();
      return stream;
    },
    next: async () => {
      const step = await start().next();
      if (step.done === true && step.value instanceof Error) throw step.value;
      return step;
    },
    return: async (value) => (await start().return?.(value)) ?? { done: true, value },
  };
  return stream as Result;
}

export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

/* The types of contexts that depend on the annotations of a method. */

/**
 * A context with more fields in methods with annotations, which the option `annotations` finds:
 * `Annotated<{ db: Db }, { auth: { user: User } }>`.
 */
export type Annotated<Context, ByName> = Context & {
  /** For the compiler only. */
  readonly "~annotated"?: { readonly context: Context; readonly found: ByName };
};

type Mark<Context> = "~annotated" extends keyof Context
  ? NonNullable<Context["~annotated"]>
  : { readonly context: Context; readonly found: Readonly<Record<never, never>> };

/** A context without what annotations add. */
export type PlainContext<Context> = Mark<Context> extends { readonly context: infer Plain } ? Plain : Context;

/** What each annotation adds to a context. */
export type Found<Context> = Mark<Context> extends { readonly found: infer ByName } ? ByName : never;

/**
 * The context of any method, and while hooks add to it. The fields that annotations add are optional, because each method
 * has its own annotations.
 */
export type ContextOfAny<Context> = [keyof Found<Context>] extends [never]
  ? Context
  : ContextWith<PlainContext<Context>, Found<Context>[keyof Found<Context>]>;

type ContextWith<Plain, Fields> = Plain & {
  readonly [Name in Exclude<KeysOf<Fields>, keyof Plain>]?: FieldOf<Fields, Name> | undefined;
};

/** The keys of all members of a union. */
type KeysOf<Fields> = Fields extends unknown ? keyof Fields : never;

type FieldOf<Fields, Name extends PropertyKey> = Fields extends { readonly [Key in Name]: infer Value }
  ? Value
  : never;

/** What one annotation adds to a context. `Context` is checked itself, so that handlers of any context fit a narrower one. */
export type ByAnnotation<Context, Name extends string> = Context extends {
  readonly "~annotated"?: { readonly found: { readonly [Key in Name]: infer Fields } };
}
  ? Fields
  : unknown;

/** Several values are sent as several headers. */
export type HeaderValue = string | readonly string[];

/** A method of the schema. */
export interface MethodInfo {
  /** Names in the schema. */
  readonly service: string;
  readonly name: string;
  /** `/rpc/Marketplace/GetOrders`. */
  readonly path: string;
  /** By name; `true` if it has no value: `{ auth: "accessKey", readonly: true }`. */
  readonly annotations: Readonly<Record<string, string | true>>;
}

/* Checks request headers, and the headers that handlers and failures add to responses. */

/** By name. */
export type ResponseHeaders = Readonly<Record<string, HeaderValue>>;

interface HeaderSource {
  header(name: string): string | undefined;
}

/** Returns why a body with these headers cannot be read; undefined if it can. */
export function faultOfHeaders(headers: HeaderSource, isForm: boolean): string | undefined {
  const type = headers.header("content-type");
  if (isForm || type !== "application/json") {
    const fault = isForm ? faultOfFormType(type) : faultOfType(type);
    if (fault !== undefined) return fault;
  }
  const encoding = headers.header("content-encoding");
  if (encoding === undefined || encoding.toLowerCase() === "identity") return undefined;
  return "Content-Encoding is not supported";
}

function faultOfFormType(type = ""): string | undefined {
  return /^multipart\/form-data\s*;/i.test(type) ? undefined : "Content-Type must be multipart/form-data";
}

/** Accepts `Application/JSON; charset=UTF-8`, too, but no other charset. */
function faultOfType(type: string | undefined): string | undefined {
  const [essence = "", ...parameters] = (type ?? "").split(";").map((part) => part.trim().toLowerCase());
  if (essence !== "application/json") return "Content-Type must be application/json";
  const charset = parameters.find((parameter) => parameter.startsWith("charset="))?.slice("charset=".length);
  if (charset === undefined || /^"?(utf-?8|us-ascii)"?$/.test(charset)) return undefined;
  return "the charset must be UTF-8";
}

/** A line break in a value would start another header, or the body. */
export function isValidHeader(name: string, value: HeaderValue): boolean {
  const isValid = (text: unknown): boolean =>
    text !== undefined && text !== null && /^[\t\x20-\x7e\x80-\xff]*$/.test(`${text}`);
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name) && [value].flat().every(isValid);
}

/** Headers that HTTP/2 does not have. Lower case. https://www.rfc-editor.org/rfc/rfc9113#section-8.2.2 */
const connectionHeaders: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
]);

/** Removes headers that cannot be sent. */
export function validHeaders(headers: ResponseHeaders = {}): ResponseHeaders {
  const canBeSent = ([name, value]: [string, HeaderValue]): boolean =>
    isValidHeader(name, value) && !connectionHeaders.has(name.toLowerCase());
  return Object.fromEntries(Object.entries(headers).filter(canBeSent));
}

/** @throws TypeError for a header that handlers cannot set. */
export function checkHeader(name: string, value: HeaderValue): void {
  if (ownHeaders.has(name.toLowerCase())) throw new TypeError(`header ${name}: it is set by the server`);
  if (!isValidHeader(name, value)) throw new TypeError(`header ${name}: invalid name or value`);
}

/** Adds headers, except those that the response has already. */
export function withMoreHeaders(
  headers: ResponseHeaders | undefined,
  more: ResponseHeaders,
): ResponseHeaders {
  const taken = new Set(Object.keys(headers ?? {}).map((name) => name.toLowerCase()));
  const added = Object.entries(more).filter(([name]) => !taken.has(name.toLowerCase()));
  return { ...Object.fromEntries(added), ...headers };
}

/** Headers that describe the body or the connection, or belong to the protocol. Lower case. */
const ownHeaders: ReadonlySet<string> = new Set([
  ...connectionHeaders,
  "content-encoding",
  "content-length",
  "content-type",
  "webrpc",
  "x-request-id",
]);

/* The headers of responses of deprecated methods. */

/** Days such as `2027-01-31`: the start of the day in UTC. */
export interface DeprecationDates {
  readonly deprecated?: string;
  /** When the method stops working. */
  readonly sunset?: string;
}

/** Creates `Deprecation` (RFC 9745), seconds since 1970 as a structured date, and `Sunset` (RFC 8594), an HTTP date. */
export function deprecationHeaders({ deprecated, sunset }: DeprecationDates): ResponseHeaders {
  return {
    ...(deprecated !== undefined && { Deprecation: `@${Date.parse(deprecated) / 1000}` }),
    ...(sunset !== undefined && { Sunset: new Date(sunset).toUTCString() }),
  };
}
