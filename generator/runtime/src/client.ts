import { type ErrorInfo, type Issue, issue, RpcError, type RpcErrorInit } from "./errors.ts";
import { type HeaderValues, joinHeaders, schemaIn } from "./headers.ts";
import { canonicalJson, hasOwn } from "./json.ts";
import { badRequest, badResponse, clientAborted, requestFailed } from "./protocol-error-table.ts";
import { callAfter, checkOption, longestMs, onAbort, readRetryAfter, sleep } from "./time.ts";
import type { Transport, TransportInit, TransportResponse } from "./transport.ts";

/*
 * Types shared by all parts of a client. A client is a plain object with the address and settings, and a method is a
 * function that takes one. A bundle therefore contains only the methods that it imports.
 */

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
  /** Timeout of a whole call in milliseconds. Default 30,000, and no limit for calls that send files. 0: no limit. */
  readonly timeoutMs?: number;
  /** Wraps every call. Combine several with `chain(log, retries())`. */
  readonly interceptor?: Interceptor;
  /** Whether to send the header `Webrpc`, which names the schema version of this client. Default true. */
  readonly webrpcHeader?: boolean;
  /** How reads without a route are called: `byGet` or `byQuery`, so that caches can answer. Default: by POST. */
  readonly reads?: ReadForm;
}

/** A method called by POST. */
export type PostMethod = (client: Client, req: unknown, options: CallOptions | undefined) => Promise<unknown>;

/** How reads without a route are called: `byGet` or `byQuery`. */
export type ReadForm = (...call: [method: PostMethod, ...Parameters<PostMethod>]) => Promise<unknown>;

/** Options of a single call. They take precedence over the client's settings; headers are added to the client's. */
export interface CallOptions {
  readonly headers?: HeaderValues;
  /** Aborts the call. Any number of calls may share one. */
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** Retries after the first attempt, at most. Only the interceptor `retries()` reads it. */
  readonly retries?: number;
  /**
   * Repeating a call of a method with `@idempotencyKey` with the same key and request has no second effect. 1 to 255
   * printable ASCII characters. Default: a new random text for each call. Other methods ignore it.
   */
  readonly idempotencyKey?: string;
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
 * the call, read the response, catch an `RpcError`, or call `next` again. Each `next` has the full timeout.
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
  /** The errors that the client itself raises, by code. -4 and -9 only if the configuration renames them. */
  readonly failures: Readonly<Record<-1 | -5 | -8, ErrorInfo> & Partial<Record<-4 | -9, ErrorInfo>>>;
  /** Reads the data of an error from the body of its response. Undefined if no error of the schema has data. */
  readonly data?: (error: string, body: string) => unknown;
}

/**
 * -1: no response. -4: an invalid request, which is not sent. -5: a response that does not follow the protocol. -8: aborted
 * by the caller. -9: a stream broke off.
 */
export type FailureCode = -1 | -4 | -5 | -8 | -9;

/** The errors that a client itself raises, for schemas that rename none. */
export const failures: Schema["failures"] = {
  [-1]: requestFailed,
  [-5]: badResponse,
  [-8]: clientAborted,
};

/** Returns the error of an invalid request, which is not sent. */
export function refusalOf({ failures }: Schema): ErrorInfo {
  return { ...badRequest, ...failures[-4], status: 0 };
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

/* Builds the HTTP request of a call. */

/**
 * Returns the arguments of the transport. Rejects with whatever the `headers` hook throws.
 *
 * @throws TypeError if the client's address has neither a scheme nor a path, or if a header is invalid.
 */
export async function requestOf(call: Call, signal: AbortSignal | null): Promise<Parameters<Transport>> {
  const { schema, service, name, print = JSON.stringify } = call.method;
  const { url, headers: hook, webrpcHeader = true } = call.client;
  // In browsers, an address may be relative to the page. "localhost:80" is a URL with the scheme "localhost".
  if (!/^(\w+:\/\/|\/|$)/.test(url)) throw new TypeError(`url: expected "https://…", found "${url}"`);
  const own = { "content-type": "application/json", webrpc: webrpcHeader ? schema.webrpc : undefined };
  const headers = joinHeaders(own, await hook?.(call), call.headers);
  return [
    `${url.replace(/\/+$/, "")}${schema.basepath}${service}/${name}`,
    { method: "POST", redirect: "manual", headers, body: print(call.req ?? {}), signal },
  ];
}

/* Reads HTTP responses. */

/** Returns the decoded response. Throws the `RpcError` that an error response describes. */
export async function readResponse(
  { schema, decode, parse = JSON.parse }: MethodInfo,
  response: Pick<TransportResponse, "status" | "headers" | "text">,
): Promise<unknown> {
  const { status } = response;
  const text = await response.text();
  // Status 3xx, which browsers report as 0.
  const cause = status % 300 < 100 ? "redirects are not followed" : text.slice(0, 200);
  let error: WireError = { ...schema.failures[-5], cause };
  try {
    // Responses and errors are always JSON objects.
    if (/^\s*\{/.test(text)) {
      const value = parse(text) as Envelope;
      if (status < 300) return decode ? decode(value) : value;
      const { code, error: name = value.name, msg: message = value.message ?? name, cause, issues } = value;
      if (typeof code === "number") {
        error = { code, name: `${name}`, message: `${message}`, cause: cause ? `${cause}` : undefined };
        if (issues?.every(isIssue)) error.issues = issues;
      }
    }
  } catch (thrown) {
    // Not JSON, an object that cannot be converted to text, or a value that does not match its type. The last one
    // carries its path.
    error = { ...error, ...(thrown as Partial<WireError>) };
  }
  throw new RpcError({
    ...error,
    status,
    retryAfter: response.headers.get("retry-after"),
    data: schema.data?.(error.name, text),
  });
}

type WireError = Pick<RpcErrorInit, "code" | "name" | "message" | "cause"> & { issues?: readonly Issue[] };

/** The body of an error response. Older servers send `name` and `message`; a hostile one may send anything. */
interface Envelope {
  readonly code?: unknown;
  readonly error?: unknown;
  readonly name?: unknown;
  readonly msg?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  /**
   * Unchecked. `every` throws if it is not a list, an item is not an object or a path is not a list; the error then has
   * no issues.
   */
  readonly issues?: readonly Issue[] | null;
}

function isIssue(issue: Issue): boolean {
  return (
    typeof issue.message === "string" &&
    typeof issue.expected === "string" &&
    typeof issue.found === "string" &&
    issue.path.every((step) => typeof step === "string" || typeof step === "number")
  );
}

/* Sends a call and enforces its timeout and abort signal. */

/**
 * Sends a call once and reads the response with `read`. Settles immediately on timeout or abort, even if a hook or the
 * transport is still busy. Rejects with an `RpcError`, or with what the `headers` hook threw.
 *
 * @throws RangeError if the timeout is not a number from 0.
 * @throws TypeError if the client's address has neither a scheme nor a path, or if a header is invalid.
 */
export function send<Answer = unknown>(
  call: Call,
  read: (method: MethodInfo, response: TransportResponse) => Promise<Answer> = readResponse as never,
): Promise<Answer> {
  const { method, signal, timeoutMs } = call;
  const { transport = fetch } = call.client;
  checkOption("timeoutMs", timeoutMs);
  const isTimed = timeoutMs > 0 && timeoutMs <= longestMs;
  // Without a timeout and a signal, the transport has nothing to abort.
  const controller = signal || isTimed ? new AbortController() : undefined;
  let stop: (() => void) | undefined;
  return new Promise<Answer>((resolve, reject) => {
    function fail(code: -1 | -8, cause: unknown): void {
      reject(new RpcError({ ...method.schema.failures[code], cause: `${cause}` }));
      controller?.abort();
    }
    stop = callAfter(isTimed ? timeoutMs : Infinity, signal, () =>
      signal?.aborted ? fail(-8, signal.reason) : fail(-1, "timeout"),
    );
    if (signal?.aborted) return;
    requestOf(call, controller?.signal ?? null).then(async (request) => {
      try {
        resolve(await read(method, await transport(...request)));
      } catch (thrown) {
        if (thrown instanceof RpcError) reject(thrown);
        else fail(-1, reasonOf(thrown as Rejection));
      }
    }, reject);
  }).finally(() => {
    stop?.();
  });
}

interface Rejection {
  readonly cause?: { readonly stack?: string };
}

/** `fetch` reports only that it failed; the reason is in its `cause`. Other causes, such as a response, are no reason. */
function reasonOf(thrown: Rejection | undefined): unknown {
  // Not `instanceof Error`: test runners load `fetch` from another realm.
  return thrown?.cause?.stack ? thrown.cause : thrown;
}

/* Call results as values, so that the compiler can require a case for every error. */

/** The promise that a method returns. Its type includes the errors that the method may fail with. */
export interface CallPromise<Value, Failure extends RpcError> extends Promise<Value>, Failing<Failure> {}

/** Carries the possible errors of a call in its type. */
export interface Failing<Failure extends RpcError> {
  readonly [failure]?: Failure;
}

declare const failure: unique symbol;

/** The errors that a method may fail with: `FailureOf<typeof getOrders>`. */
export type FailureOf<Of extends (...args: never) => Failing<RpcError>> =
  ReturnType<Of> extends Failing<infer Failure> ? Failure : never;

/** The result of a call: a value or an error. */
export type Result<Value, Failure extends RpcError = RpcError> =
  | { readonly ok: true; readonly value: Value; readonly error?: never }
  | { readonly ok: false; readonly error: Failure; readonly value?: never };

/**
 * Returns errors instead of throwing them: `await result(getOrders(client, req))`. Errors that are not an `RpcError` of
 * this client are still thrown, such as bugs in an interceptor, or errors of a client generated from another schema.
 */
export async function result<Value, Failure extends RpcError>(
  answer: CallPromise<Value, Failure>,
): Promise<Result<Value, Failure>> {
  try {
    return { ok: true, value: await answer };
  } catch (error) {
    if (error instanceof RpcError) return { ok: false, error: error as Failure };
    throw error;
  }
}

/** A function for each outcome: `ok`, every error by its name, `protocol` for those of the protocol, and `_` for all other errors. */
export type Cases<Value, Failure extends RpcError> = {
  readonly [Name in OutcomeName<Failure>]?: (outcome: OutcomeValue<Name, Value, Failure>) => unknown;
};

type OutcomeName<Failure extends RpcError> = "ok" | "protocol" | "_" | Failure["name"];

/** Errors of the protocol have codes of 0 and below, those of a schema positive ones. */
type OfProtocol<Failure extends RpcError> = Failure extends { readonly code: infer Code extends number }
  ? `${Code}` extends "0" | `-${string}`
    ? Failure
    : never
  : never;

type OutcomeValue<Name, Value, Failure extends RpcError> = Name extends "ok"
  ? Value
  : Name extends "_"
    ? Failure
    : Name extends "protocol"
      ? OfProtocol<Failure>
      : Extract<Failure, { readonly name: Name }>;

/** Requires a case for every outcome and rejects unknown cases. The types become part of the compiler's message. */
type ExhaustiveCases<Names, Failure extends RpcError> = {
  readonly [Name in MissingCases<Names, Failure>]: (outcome: never) => unknown;
} & {
  readonly [Name in Exclude<Names, OutcomeName<Failure>> & string]: `${Name} is not an error of this method`;
};

type MissingCases<Names, Failure extends RpcError> = Exclude<
  "_" extends Names
    ? "ok"
    : "ok" | Exclude<Failure["name"], "protocol" extends Names ? OfProtocol<Failure>["name"] : never>,
  Names
>;

/** What the cases may return. `never` if they do not compile, so that the compiler reports only one error. */
type CaseResult<Case> = undefined extends Case
  ? never
  : Case extends (outcome: never) => infer Answer
    ? Answer
    : never;

/**
 * Runs the matching case:
 * `match(await result(getOrders(client, req)), { ok: ({ orders }) => …, NotFound: () => …, protocol: (error) => … })`.
 *
 * Without `_`, the compiler requires a case for every error of the method; `protocol` stands for those of the protocol.
 * An error that is unknown to this client, because the server is newer, runs `_`; without `_` it is thrown.
 */
export function match<Value, Failure extends RpcError, Given extends Cases<Value, Failure>>(
  outcome: Result<Value, Failure>,
  cases: Given & ExhaustiveCases<keyof Given, Failure>,
): CaseResult<Given[keyof Given]> {
  const table: CaseTable<CaseResult<Given[keyof Given]>> = cases as never;
  if (outcome.ok) return table.ok(outcome.value);
  const { error } = outcome;
  // The server chooses the name. It must match no case of several outcomes, nor an inherited property.
  const isNamed = !/^(ok|protocol|_)$/.test(error.name) && hasOwn(table, error.name);
  const run = isNamed ? table[error.name] : (error.code <= 0 && table.protocol) || table._;
  if (!run) throw error;
  return run(error);
}

interface CaseTable<Answer> {
  readonly [name: string]: ((outcome: unknown) => Answer) | undefined;
  readonly ok: (value: unknown) => Answer;
  readonly protocol: ((error: unknown) => Answer) | undefined;
  readonly _: ((error: unknown) => Answer) | undefined;
}

/* Methods of the schema as functions. */

/** Calls a method: `await getOrders(client, { input })` returns the response or throws an error of type `Err`. */
export interface Method<Req, Res, Err extends RpcError> {
  (client: Client, req: Req, options?: CallOptions): CallPromise<Res, Err>;
  readonly info: MethodInfo;
}

/** A method whose request has no fields: `await ping(client)`. A conditional type in `Method` would compile slower. */
export interface EmptyRequestMethod<Req, Res, Err extends RpcError> {
  (client: Client, req?: Req, options?: CallOptions): CallPromise<Res, Err>;
  readonly info: MethodInfo;
}

/**
 * Creates the function of a method, which has the type `Called`. Generated code calls the functions that create methods at
 * module level, so they must have no side effects.
 */
export function method<Called>(
  schema: Schema,
  service: string,
  name: string,
  traits?: MethodTraits,
  sendCall: Next = send,
  defaultMs = 30_000,
): Called {
  const info: MethodInfo = { ...traits, schema, service, name };
  async function run(client: Client, req?: unknown, options?: CallOptions): Promise<unknown> {
    const timeoutMs = options?.timeoutMs ?? client.timeoutMs ?? defaultMs;
    const call: Call = { ...options, client, method: info, req, timeoutMs };
    return client.interceptor ? client.interceptor(call, sendCall) : sendCall(call);
  }
  run.info = info;
  return run as never;
}

/**
 * Returns a cache key: `queryKey(getOrders, req)` is `["platform", "Marketplace", "GetOrders", req]`, with bigints as
 * strings. It starts with the name of the schema. Without a request, it is the start of the keys of all calls of the
 * method.
 */
export function queryKey<Req>(
  { info }: Keyed<Req>,
  req?: NoInfer<Req>,
): readonly [schema: string, service: string, method: string, ...req: unknown[]] {
  const text = JSON.stringify(req, (_, value) => (typeof value === "bigint" ? `${value}` : value));
  const key = [schemaIn(info.schema.webrpc).name, info.service, info.name] as const;
  // A call without a request sends an empty one.
  return text === undefined || text === "{}" ? key : [...key, JSON.parse(text)];
}

/** A method of any kind. */
interface Keyed<Req> {
  (client: Client, req: Req, options?: never): unknown;
  readonly info: MethodInfo;
}

/** Narrows a call in an interceptor to one method: `if (isCallOf(getOrders, call)) call.req.input`. */
export function isCallOf<Req>(method: Method<Req, unknown, RpcError>, call: Call): call is Call<Req> {
  return call.method === method.info;
}

/* Versions of responses, for calls that change only the version that their caller has seen. */

/** The version of each response that is still in use. */
const tags = new WeakMap<object, string>();

/**
 * Returns the version of a response: `etagOf(await getOrder(client, { id }))` is `"v7"`, with the quotes. Undefined if
 * the server sent none, as to calls by POST, and for copies of a response.
 */
export function etagOf(response: object): string | undefined {
  return tags.get(response);
}

/**
 * Returns the option for a call that changes only this version: `changeOrder(client, req, ifMatch(etag))`. Otherwise the
 * call fails with the error of HTTP status 412 that the method lists.
 */
export function ifMatch(etag: string): CallOptions {
  return { headers: { "If-Match": etag } };
}

/** Sends a call over a transport and keeps the version of its response. */
async function sendTagged(call: Call, transport: Transport, next: Next): Promise<unknown> {
  let tag: string | null = null;
  const noting: Transport = async (url, init) => {
    const response = await transport(url, init);
    tag = response.headers.get("etag");
    return response;
  };
  const answer = await next({ ...call, client: { ...call.client, transport: noting } });
  if (tag !== null && typeof answer === "object" && answer !== null) tags.set(answer, tag);
  return answer;
}

/* Methods with a route. */

/** How a method with a route is called. */
interface RouteTraits extends MethodTraits {
  readonly verb: TransportInit["method"];
  /** Includes the basepath: `/rpc/pets/{id}`. */
  readonly path: string;
  /** The fields that are sent in the query. Undefined if the request has a body. */
  readonly query?: readonly QueryField[];
}

/** The name of a field, in JSON and in the query. */
type QueryField = string | readonly [name: string, inQuery: string];

/** Creates the function of a method with a route. */
export function routedMethod<Called>(
  schema: Schema,
  service: string,
  name: string,
  { verb, path, query, ...traits }: RouteTraits,
): Called {
  function sendRouted(call: Call): Promise<unknown> {
    const { client } = call;
    const req = (call.req ?? {}) as RoutedFields;
    const transport = (client.transport ?? fetch) as Transport;
    const routed: Transport = (_url, init) => {
      const url = client.url.replace(/\/+$/, "") + pathOf(path, req, schema);
      if (query === undefined) return transport(url, { ...init, method: verb });
      const headers = { ...init.headers };
      delete headers["content-type"];
      const search = queryOf(query, req, schema);
      return transport(url + (search && `?${search}`), { ...init, method: verb, headers, body: null });
    };
    if (verb === "GET" || verb === "QUERY") return sendTagged(call, routed, send);
    return send({ ...call, client: { ...client, transport: routed } });
  }
  return method(schema, service, name, traits, sendRouted);
}

type RoutedFields = Readonly<Record<string, unknown>>;

/** Fills in the parameters of a path. URLs drop the segments `.` and `..`, however they are encoded. */
function pathOf(template: string, req: RoutedFields, schema: Schema): string {
  return template.replace(/\{(\w+)\}/g, (_parameter, name: string) => {
    const text = hasOwn(req, name) ? textOf(req[name]) : "";
    if (text === "" || text === "." || text === "..")
      throw refused(schema, name, 'text other than "", "." and ".."', JSON.stringify(text));
    return encoded(text, name, schema);
  });
}

/** `limit=20&tags=a&tags=b`. Omits absent values and empty lists. */
function queryOf(fields: readonly QueryField[], req: RoutedFields, schema: Schema): string {
  const pairs = fields.flatMap((field) => {
    const [name, inQuery] = typeof field === "string" ? [field, field] : field;
    const values = hasOwn(req, name) ? [req[name]].flat() : [];
    return values
      .filter((value) => value !== undefined && value !== null)
      .map((value) => `${encodeURIComponent(inQuery)}=${encoded(textOf(value), name, schema)}`);
  });
  return pairs.join("&");
}

/** Returns the text of a value as in JSON, without quotes. */
function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : `${value ?? ""}`;
}

function encoded(text: string, name: string, schema: Schema): string {
  try {
    return encodeURIComponent(text);
  } catch {
    throw refused(schema, name, "Unicode text", "a lone surrogate");
  }
}

function refused(schema: Schema, name: string, expected: string, found: string): RpcError {
  const fault = issue([name], expected, found);
  return new RpcError({ ...refusalOf(schema), message: `/${name}: ${fault.message}`, issues: [fault] });
}

/* Methods that caches know, and that have no route. */

/** Adds the forms of a read to a method: with the client's option `reads`, it is called by GET or QUERY. */
export function readMethod<Called extends { readonly info: MethodInfo }>(method: Called): Called {
  const post = method as unknown as PostMethod;
  const run = (client: Client, req?: unknown, options?: CallOptions): Promise<unknown> =>
    client.reads === undefined ? post(client, req, options) : client.reads(post, client, req, options);
  run.info = method.info;
  return run as never;
}

/* The forms of reads without a route. A client contains the code of a form only if it imports it. */

/** Sends reads by GET. Requests that are too long for a URL are sent by POST, which every proxy forwards. */
export const byGet: ReadForm = (...call) => sendRead("POST", ...call);

/** Sends reads by GET. Requests that are too long for a URL are sent by QUERY, which not every proxy forwards. */
export const byQuery: ReadForm = (...call) => sendRead("QUERY", ...call);

function sendRead(
  longVerb: "POST" | "QUERY",
  post: PostMethod,
  client: Client,
  req: unknown,
  options: Parameters<PostMethod>[2],
): Promise<unknown> {
  const { interceptor = sendDirectly } = client;
  // Interceptors of the client see its own settings.
  const around: Interceptor = (call, next) =>
    interceptor({ ...call, client }, (sent) => sendTagged(sent, readTransport(sent.client, longVerb), next));
  return post({ ...client, interceptor: around }, req, options);
}

function sendDirectly(call: Call, next: Next): Promise<unknown> {
  return next(call);
}

/** The longest URL that is sent, in bytes. Servers accept a path and query of this length. */
const urlMaxBytes = 2_000;

/** Sends the request of a call by POST in another form. */
function readTransport({ transport: given = fetch }: Client, longVerb: "POST" | "QUERY"): Transport {
  const transport = given as Transport;
  return (url, init) => {
    const json = canonicalJson(String(init.body));
    const target = `${url}?q=${encodeURIComponent(json)}`;
    if (target.length > urlMaxBytes)
      return transport(url, longVerb === "QUERY" ? { ...init, method: longVerb, body: json } : init);
    const headers = { ...init.headers };
    delete headers["content-type"];
    return transport(target, { ...init, method: "GET", headers, body: null });
  };
}

/* Methods whose calls have an idempotency key. */

/**
 * Adds the header `Idempotency-Key` to the calls of a method. All attempts of a call have the same key, because it is
 * made before interceptors run.
 */
export function keyedMethod<Called extends { readonly info: MethodInfo }>(method: Called): Called {
  const call = method as unknown as (client: Client, req: unknown, options: CallOptions) => Promise<unknown>;
  async function run(client: Client, req?: unknown, options?: CallOptions): Promise<unknown> {
    const { idempotencyKey: key = randomKey() } = options ?? {};
    if (!/^[ -~]{1,255}$/.test(key)) {
      const option = `${method.info.name}: idempotencyKey`;
      throw new TypeError(`${option}: expected 1 to 255 printable ASCII characters, found "${key}"`);
    }
    const quoted = `"${key.replace(/["\\]/g, "\\$&")}"`;
    return call(client, req, { ...options, headers: { ...options?.headers, "Idempotency-Key": quoted } });
  }
  run.info = method.info;
  return run as never;
}

/** Pages without HTTPS have no `crypto.randomUUID`. */
function randomKey(): string {
  return crypto.getRandomValues(new BigUint64Array(2)).join("-");
}

/** Combines several interceptors into one. The first one is outermost. */
export function chain(...interceptors: readonly Interceptor[]): Interceptor {
  return interceptors.reduceRight<Interceptor>(
    (inner, outer) => (call, next) => outer(call, (each) => inner(each, next)),
    (call, next) => next(call),
  );
}

/* Status and headers of the response to a call. */

/** The response is undefined if an interceptor returned the value without sending a request. */
export interface WithResponse<Value> {
  readonly value: Value;
  readonly response: Pick<TransportResponse, "status" | "headers"> | undefined;
}

type Arguments<Req> = undefined extends Req
  ? [req?: Req, options?: CallOptions]
  : [req: Req, options?: CallOptions];

/**
 * Calls a method and returns its value with status and headers of the last response:
 * `const { value, response } = await withResponse(listOrders, client, req)`.
 */
export function withResponse<Req, Res, Err extends RpcError>(
  method: Method<Req, Res, Err>,
  client: Client,
  ...rest: Arguments<NoInfer<Req>>
): CallPromise<WithResponse<Res>, Err> {
  const call = method as unknown as (client: Client, ...rest: readonly unknown[]) => Promise<Res>;
  let response: TransportResponse | undefined;
  const transport: Transport = async (url, init) => {
    response = await (client.transport ?? fetch)(url, init);
    return response;
  };
  return call({ ...client, transport }, ...rest).then((value) => ({ value, response }));
}

/* An interceptor that retries failed calls: `{ url, interceptor: retries() }`. */

/**
 * Retries failed calls, `maxRetries` times by default; the call option `retries` overrides it.
 *
 * A call is retried if its error is `retryable` and repeating is safe: the method is idempotent, or the response has a
 * Retry-After header, which means that the server did nothing.
 *
 * Each retry waits for the Retry-After time plus a random part of 200 ms, doubled for each further retry. The timeout
 * includes all attempts: a call fails immediately if the next wait would exceed it.
 *
 * @throws RangeError if a number of retries is not a whole number from 0.
 */
export function retries(maxRetries = 2): Interceptor {
  checkCount(maxRetries);
  return async (call, next) => {
    const { retries: most = maxRetries } = call;
    checkCount(most);
    const deadline = performance.now() + (call.timeoutMs || Infinity);
    let { timeoutMs } = call;
    for (let attempt = 0; ; attempt++) {
      try {
        return await next({ ...call, timeoutMs });
      } catch (error) {
        if (!(error instanceof RpcError) || attempt >= most) throw error;
        const requestedMs = retryAfterMs(error);
        const mayRepeat = call.method.idempotent === true || requestedMs !== undefined;
        const waitMs = (requestedMs ?? 0) + Math.random() * 200 * 2 ** attempt;
        const leftMs = deadline - performance.now() - waitMs;
        if (!error.retryable || !mayRepeat || leftMs <= 0) throw error;
        await sleep(waitMs, call.signal);
        if (timeoutMs > 0) timeoutMs = leftMs;
      }
    }
  };
}

function checkCount(retries: number): void {
  if (!(retries === Infinity || (Number.isInteger(retries) && retries >= 0)))
    throw new RangeError(`retries: expected a whole number from 0, found ${retries}`);
}

/** Returns the time of the header Retry-After in milliseconds, of any length. Undefined if it is missing or invalid. */
export function retryAfterMs({ retryAfter }: RpcError): number | undefined {
  return readRetryAfter(retryAfter ?? "");
}

/* An interceptor that renews expired credentials: `{ url, headers, interceptor: reauthenticate(renew) }`. */

/**
 * When a call fails with status 401, calls `renew`, which stores new credentials where `headers` finds them, and then
 * repeats the call once. `isExpired` selects other failures.
 *
 * Calls that were sent before a renewal ended share it: they are repeated after it, or throw what `renew` threw. The
 * timeout of a call includes the renewal. While `renew` runs, it is not called again, so it needs a timeout of its own.
 *
 * Clients with the same function `headers` share renewals, such as copies of a client. Clients with different ones do not,
 * even if they share the interceptor.
 *
 * `renew` gets a client without interceptor for its own calls. With the interceptor, they would wait for themselves.
 */
export function reauthenticate(
  renew: (client: Client) => unknown,
  isExpired: (error: RpcError) => boolean = ({ status }) => status === 401,
): Interceptor {
  const byHeaders = new WeakMap<object, Renewals>();
  /** Of clients without `headers`, such as those whose credentials are cookies. */
  const others = newRenewals();

  function renewalsOf({ headers }: Client): Renewals {
    if (headers === undefined) return others;
    const renewals = byHeaders.get(headers) ?? newRenewals();
    byHeaders.set(headers, renewals);
    return renewals;
  }

  async function run(expired: Client, renewals: Renewals): Promise<void> {
    const client = { ...expired };
    delete client.interceptor;
    renewals.isRunning = true;
    try {
      await renew(client);
    } finally {
      renewals.isRunning = false;
      renewals.ended++;
    }
  }

  return async (call, next) => {
    const deadline = performance.now() + (call.timeoutMs || Infinity);
    const renewals = renewalsOf(call.client);
    const before = renewals.ended;
    try {
      return await next(call);
    } catch (error) {
      if (!(error instanceof RpcError && isExpired(error))) throw error;
      if (renewals.ended === before && !renewals.isRunning) renewals.last = run(call.client, renewals);
      const isOver = await endsInTime(renewals.last, deadline, call.signal);
      // An aborted call fails when it is repeated.
      if (call.signal?.aborted) return next(call);
      const leftMs = deadline - performance.now();
      if (isOver && leftMs > 0) return next({ ...call, timeoutMs: call.timeoutMs && leftMs });
      throw new RpcError({ ...call.method.schema.failures[-1], cause: "timeout of the renewal" });
    }
  };
}

/** The renewals of the same credentials. */
interface Renewals {
  last: Promise<void>;
  isRunning: boolean;
  /** Number of renewals that have ended. */
  ended: number;
}

function newRenewals(): Renewals {
  return { last: Promise.resolve(), isRunning: false, ended: 0 };
}

/** Waits for the renewal. Returns false if the deadline passes or the call is aborted before. */
async function endsInTime(
  renewal: Promise<void>,
  deadline: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const controller = new AbortController();
  const forget = onAbort(signal, () => controller.abort());
  const timeOut = sleep(deadline - performance.now(), controller.signal);
  try {
    return await Promise.race([renewal.then(() => true), timeOut.then(() => false)]);
  } finally {
    controller.abort();
    forget();
  }
}
