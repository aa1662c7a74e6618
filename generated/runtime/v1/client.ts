import { hasOwn, type Issue, issue, pointerOf, RpcError, type RpcErrorInit } from "./common.ts";

/** How a request goes to a server and its answer comes back: any function of the form of `fetch`. Everything else is the client's. */

/**
 * Rejects only if no whole answer came. Nobody waits any more when `signal` fires. `fetch` is one, and so is
 * `(url, init) => fetch(url, { ...init, credentials: "include" })`.
 */
export type Transport = (url: string, init: TransportInit) => Promise<TransportResponse>;

export interface TransportInit {
  method: "POST";
  /** Not followed: that would carry the caller's keys elsewhere. An error for a form: else Node's `fetch` keeps all of it in memory. */
  redirect: "manual" | "error";
  /** Names in any letter case. */
  headers: Record<string, string>;
  /** JSON, or a form where a request has files. */
  body: string | FormData;
  /** Null for a call without time-out and signal. */
  signal: AbortSignal | null;
  /** The answer is wanted as it comes: resolve with its head, and give its `body`. */
  stream?: true;
}

/** What came back, whatever it is: the client looks for sense in it. */
export interface TransportResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
  /** For streams. To cancel it closes the connection. */
  readonly body?: ReadableStream<Uint8Array> | null;
}

/*
 * What the parts of a client agree on. A client is a plain object that says where and how to call; a method is a function that
 * takes one. So a bundle holds the methods that it imports, and nothing of the others.
 */

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

/* What an answer means. */

/** The answer; throws the `RpcError` that it is instead. */
export async function readAnswer(
  { schema, decode, parse = JSON.parse }: MethodInfo,
  response: Pick<TransportResponse, "status" | "headers" | "text">,
): Promise<unknown> {
  const { status } = response;
  const text = await response.text();
  let error: WireError = { ...schema.failures[-5], code: -5, cause: text.slice(0, 200) };
  try {
    // Whatever else JSON can be, an answer and an error are objects.
    if (/^\s*\{/.test(text)) {
      const value = parse(text) as Envelope;
      if (status < 300) return decode ? decode(value) : value;
      const { code, error: name = value.name, msg = value.message ?? name, cause, issues } = value;
      if (typeof code === "number") {
        error = { code, name: `${name}`, msg: `${msg}`, cause: cause ? `${cause}` : undefined };
        if (issues?.every(isIssue)) error.issues = issues;
      }
    }
  } catch (thrown) {
    // Not JSON, an object that refuses to be text, or a misfit, which says where it is.
    error = { ...error, ...(thrown as Partial<WireError>) };
  }
  throw new RpcError({ ...error, status, retryAfter: response.headers.get("retry-after") });
}

type WireError = Pick<RpcErrorInit, "code" | "name" | "msg" | "cause"> & { issues?: readonly Issue[] };

/** What a failure looks like. Servers made by older tools write `name` and `message`; a hostile one writes anything. */
interface Envelope {
  readonly code?: unknown;
  readonly error?: unknown;
  readonly name?: unknown;
  readonly msg?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  /** Unchecked. `every` throws if it is no list, an item is no object or a path is no list; the error then has no issues. */
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

/* A call as a request: where it goes, with which headers. */

/** Rejects with whatever the hook for headers and the transport throw. */
export async function request(call: Call, signal: AbortSignal | null): Promise<TransportResponse> {
  const { schema, service, name, print = JSON.stringify } = call.method;
  const { url, headers, transport = fetch, webrpcHeader = true } = call.client;
  return transport(`${url.replace(/\/+$/, "")}${schema.basepath}${service}/${name}`, {
    method: "POST",
    redirect: "manual",
    headers: {
      "Content-Type": "application/json",
      ...(webrpcHeader && { Webrpc: schema.webrpc }),
      ...(await headers?.(call)),
      ...call.headers,
    },
    body: print(call.req ?? {}),
    signal,
  });
}

/* A call in time: there is an answer, time is up, or the caller gives up. */

/**
 * Sends a call once, and reads what comes back with `read`. Settles at the time-out and at an abort at once, whatever hooks and transport are doing then.
 */
export function send<Answer = unknown>(
  call: Call,
  read: (method: MethodInfo, response: TransportResponse) => Promise<Answer> = readAnswer as never,
): Promise<Answer> {
  const { method, signal, timeoutMs } = call;
  // Timers count up to 2^31 - 1 ms, 24 days: more is as good as none.
  const isTimed = timeoutMs > 0 && timeoutMs < 2 ** 31;
  // Without a time-out and a signal there is nothing to tell the transport.
  const controller = signal || isTimed ? new AbortController() : undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let abort = (): void => {};
  return new Promise<Answer>((resolve, reject) => {
    function fail(code: -1 | -8, cause: unknown): void {
      reject(new RpcError({ ...method.schema.failures[code], code, cause: `${cause}` }));
      controller?.abort();
    }
    abort = () => fail(-8, signal?.reason);
    if (signal?.aborted) return abort();
    signal?.addEventListener("abort", abort);
    if (isTimed) timer = setTimeout(fail, timeoutMs, -1, "time-out");
    request(call, controller?.signal ?? null)
      .then((response) => read(method, response))
      .then(resolve, (thrown) => {
        if (thrown instanceof RpcError) reject(thrown);
        // `fetch` says only that it failed, and hides why one level deeper.
        else fail(-1, thrown?.cause ?? thrown);
      });
  }).finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  });
}

/* Outcomes as values, for callers who want the compiler to ask for every error. */

/** What a method gives: its answer to be awaited, and in its type what it may fail with. */
export interface Answer<Value, Failure extends RpcError> extends Promise<Value>, Failing<Failure> {}

/** In its type what it may fail with. */
export interface Failing<Failure extends RpcError> {
  readonly [failure]?: Failure;
}

declare const failure: unique symbol;

/** What a method may fail with: `FailureOf<typeof getOrders>`. */
export type FailureOf<Of extends (...args: never) => Failing<RpcError>> =
  ReturnType<Of> extends Failing<infer Failure> ? Failure : never;

/** What a call came to. */
export type Result<Value, Failure extends RpcError = RpcError> =
  | { readonly ok: true; readonly value: Value; readonly error?: never }
  | { readonly ok: false; readonly error: Failure; readonly value?: never };

/** `await result(getOrders(client, req))`. What is no `RpcError`, as a mistake in an interceptor, is still thrown. */
export async function result<Value, Failure extends RpcError>(
  answer: Answer<Value, Failure>,
): Promise<Result<Value, Failure>> {
  try {
    return { ok: true, value: await answer };
  } catch (error) {
    if (error instanceof RpcError) return { ok: false, error: error as Failure };
    throw error;
  }
}

/** One function an outcome: `ok`, every error by its name, and `_` for those that are not named. */
export type Cases<Value, Failure extends RpcError> = {
  readonly [Name in Outcome<Failure>]?: (outcome: Subject<Name, Value, Failure>) => unknown;
};

type Outcome<Failure extends RpcError> = "ok" | "_" | Failure["name"];

type Subject<Name, Value, Failure extends RpcError> = Name extends "ok"
  ? Value
  : Name extends "_"
    ? Failure
    : Extract<Failure, { readonly name: Name }>;

/** Every outcome has a case, and every case an outcome: each that is not so becomes the text of the compiler's complaint. */
type Checked<Names, Failure extends RpcError> = {
  readonly [Name in Forgotten<Names, Failure>]: (outcome: never) => unknown;
} & {
  readonly [Name in Exclude<Names, Outcome<Failure>> & string]: `${Name} is no error of this method`;
};

type Forgotten<Names, Failure extends RpcError> = Exclude<
  "_" extends Names ? "ok" : "ok" | Failure["name"],
  Names
>;

/** What any of the cases may answer; nothing where they do not compile, so that the compiler complains of that alone. */
type AnswerOf<Case> = undefined extends Case
  ? never
  : Case extends (outcome: never) => infer Answer
    ? Answer
    : never;

/**
 * Runs the case that fits: `match(await result(getOrders(client, req)), { ok: ({ orders }) => …, NotFound: () => …, _: (error) => … })`.
 * Without `_` every error of the method must be there. An error that a newer server made up fits `_` alone; without it, it is thrown.
 */
export function match<Value, Failure extends RpcError, Given extends Cases<Value, Failure>>(
  outcome: Result<Value, Failure>,
  cases: Given & Checked<keyof Given, Failure>,
): AnswerOf<Given[keyof Given]> {
  const table: Table<AnswerOf<Given[keyof Given]>> = cases as never;
  if (outcome.ok) return table.ok(outcome.value);
  const { error } = outcome;
  // The name is the server's word: it must not reach the other cases, nor what every object has.
  const isNamed = error.name !== "ok" && hasOwn(table, error.name);
  const run = isNamed ? table[error.name] : table._;
  if (!run) throw error;
  return run(error);
}

interface Table<Answer> {
  readonly [name: string]: ((outcome: unknown) => Answer) | undefined;
  readonly ok: (value: unknown) => Answer;
  readonly _: ((error: unknown) => Answer) | undefined;
}

/* A method of the schema as a function. */

/** `await getOrders(client, { input })` answers, or throws one of `Err`. A request without fields may be left out. */
export interface Method<Req, Res, Err extends RpcError> {
  (client: Client, ...args: Arguments<Req>): Answer<Res, Err>;
  readonly info: MethodInfo;
}

type Arguments<Req> = undefined extends Req
  ? [req?: Req, options?: CallOptions]
  : [req: Req, options?: CallOptions];

/** Makes the function of a method. Has no effect besides: generated code calls it once for each at its top. */
export function method<Req, Res, Err extends RpcError>(
  schema: Schema,
  service: string,
  name: string,
  traits?: MethodTraits,
): Method<Req, Res, Err> {
  const info: MethodInfo = { ...traits, schema, service, name };
  async function run(client: Client, req?: unknown, options?: CallOptions): Promise<unknown> {
    const timeoutMs = options?.timeoutMs ?? client.timeoutMs ?? 30_000;
    const call: Call = { ...options, client, method: info, req, timeoutMs };
    return client.interceptor ? client.interceptor(call, send) : send(call);
  }
  run.info = info;
  return run as never;
}

/** Tells calls apart in a cache: `queryKey(getOrders, req)` is `["Marketplace", "GetOrders", req]`. */
export function queryKey<Req>(
  { info }: Method<Req, unknown, RpcError>,
  ...req: undefined extends Req ? [req?: Req] : [req: Req]
): readonly [service: string, method: string, ...req: unknown[]] {
  return [info.service, info.name, ...req];
}

/** Tells an interceptor which method it has before it: `if (isCallOf(getOrders, call)) call.req.input`. */
export function isCallOf<Req>(method: Method<Req, unknown, RpcError>, call: Call): call is Call<Req> {
  return call.method === method.info;
}

/*
 * Where in a body something is done between JSON and the caller: what JSON alone cannot carry, and what it would carry wrong. Generated
 * code prints shapes.
 */

/** In the fields of an object by name, or with `[inner]`, one shape at most, in each item of a list. `[]` is a list with nothing to do inside. */
export type Shape = Convert | readonly Shape[] | { readonly [field: string]: Shape };

/** Returns the value that stands at a place instead. Throws a `misfit`. */
export type Convert = (value: unknown, at: Place) => unknown;

/** The path to the value being converted. One list serves the whole walk: each step is pushed before its value and popped after. */
export type Place = (string | number)[];

/** What stands at a place and must not. `msg` and `issues` are those of the `RpcError` that it becomes. */
export function misfit(at: Place, expected: string, value: unknown): Error {
  const fault = issue(at, expected, `${value}`.slice(0, 60));
  return Object.assign(new TypeError(), { msg: `${pointerOf(at)}: ${fault.message}`, issues: [fault] });
}

/** An integer that is a number in TypeScript: past ±(2^53 - 1) its digits are lost. */
export function safeInteger(value: unknown, at: Place): unknown {
  if (value === null || Number.isSafeInteger(value)) return value;
  throw misfit(at, "an integer within ±(2^53 - 1)", value);
}

/* A response on its way from JSON to the caller. */

/** Reads what a shape names, in place: JSON has just made it. Null for a list is an empty one, as Go writes it. */
export function read(value: unknown, shape: Shape, at: Place = []): unknown {
  if (typeof shape === "function") return shape(value, at);
  const isList = Array.isArray(shape);
  if (value === null) return isList ? [] : value;
  if (typeof value !== "object" || isList !== Array.isArray(value))
    throw misfit(at, isList ? "a list" : "an object", value);
  const parts = value as Record<string, unknown>;
  const shapes = shape as Readonly<Record<string, Shape>>;
  for (const key in isList ? shapes[0] && parts : shapes) {
    if (!hasOwn(parts, key)) continue;
    at.push(isList ? +key : key);
    const part = read(parts[key], shapes[isList ? 0 : key] as Shape, at);
    at.pop();
    if (part === undefined) delete parts[key];
    else parts[key] = part;
  }
  return parts;
}

/** A map to what a shape reads. Null is an empty one. */
export function readMap(shape?: Shape): Convert {
  return (value, at) => {
    if (value === null) return {};
    if (typeof value !== "object") throw misfit(at, "an object", value);
    const map = value as Record<string, unknown>;
    if (shape)
      for (const key of Object.keys(map)) {
        at.push(key);
        map[key] = read(map[key], shape, at);
        at.pop();
      }
    return map;
  };
}

/** Base64 text. Null is empty. */
export function readBytes(value: unknown): unknown {
  return value === null ? "" : value;
}

/** An optional list, map or bytes: null means absent. */
export function orAbsent(shape?: Shape): Convert {
  return (value, at) => (value === null ? undefined : shape ? read(value, shape, at) : value);
}

/** One that may be null. */
export function orNull(shape: Shape): Convert {
  return (value, at) => (value === null ? value : read(value, shape, at));
}

/* A request on its way from the caller to JSON. */

/** Writes a request, or refuses to send it: what does not fit is a bad request with its path. */
export function written(req: unknown, shape: Shape, refusal: FailureInfo): unknown {
  try {
    return write(req, shape, []);
  } catch (thrown) {
    throw new RpcError({ ...refusal, code: -4, ...(thrown as { readonly msg: string }) });
  }
}

/** Writes what a shape names. A request belongs to its caller: what changes is a copy, and what does not is the caller's own. */
function write(value: unknown, shape: Shape, at: Place): unknown {
  if (value === null || value === undefined) return value;
  if (typeof shape === "function") return shape(value, at);
  const isList = Array.isArray(shape);
  // The server refuses another type, and says what it takes.
  if (typeof value !== "object" || isList !== Array.isArray(value)) return value;
  const parts = value as Record<string, unknown>;
  const shapes = shape as Readonly<Record<string, Shape>>;
  const entries: [string, unknown][] = [];
  for (const key of Object.keys(isList ? parts : shapes)) {
    if (!hasOwn(parts, key)) continue;
    at.push(isList ? +key : key);
    const part = write(parts[key], shapes[isList ? 0 : key] as Shape, at);
    at.pop();
    if (part !== parts[key]) entries.push([key, part]);
  }
  if (entries.length === 0) return value;
  return Object.assign(isList ? [...(value as unknown[])] : { ...value }, Object.fromEntries(entries));
}

/** A map to what a shape writes. */
export function writeMap(shape: Shape): Convert {
  return (value, at) => {
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => {
        at.push(key);
        const written = write(part, shape, at);
        at.pop();
        return [key, written];
      }),
    );
  };
}

/** `123n` → `"123"`: bigints that are text on the wire, where others are numbers there. */
export function writeBigint(value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

/** Several interceptors as one. The first is outermost. */
export function chain(...interceptors: readonly Interceptor[]): Interceptor {
  return interceptors.reduceRight<Interceptor>(
    (inner, outer) => (call, next) => outer(call, (each) => inner(each, next)),
    (call, next) => next(call),
  );
}

/** Wakes early when the signal fires: who waits looks at the signal next. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    function wake(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", wake);
      resolve();
    }
    const timer = setTimeout(wake, ms);
    signal?.addEventListener("abort", wake);
    if (signal?.aborted) wake();
  });
}

/* Tries again, for those who want it: `{ url, interceptor: retries() }`. */

/**
 * A failure is tried again if waiting may help (`retryable`) and nothing can happen twice: the method is idempotent, or the server
 * said that it did nothing, which is what Retry-After means here. `most`: tries after the first; a call may say another number.
 *
 * It waits as long as that header asks and a random part of 200 ms more, of 400 ms before the next try and so on, so that callers
 * spread. The time-out holds for all tries together: if the wait would pass it, the call fails at once.
 */
export function retries(most = 2): Interceptor {
  return async (call, next) => {
    const until = performance.now() + (call.timeoutMs || Infinity);
    let { timeoutMs } = call;
    for (let attempt = 0; ; attempt++) {
      try {
        return await next({ ...call, timeoutMs });
      } catch (error) {
        if (!(error instanceof RpcError) || attempt >= (call.retries ?? most)) throw error;
        const askedMs = retryAfterMs(error);
        const mayRepeat = call.method.idempotent === true || askedMs !== undefined;
        const waitMs = (askedMs ?? 0) + Math.random() * 200 * 2 ** attempt;
        const leftMs = until - performance.now() - waitMs;
        if (!error.retryable || !mayRepeat || leftMs <= 0) throw error;
        await sleep(waitMs, call.signal);
        if (timeoutMs > 0) timeoutMs = leftMs;
      }
    }
  };
}

/** What Retry-After asks for, in milliseconds; undefined if it was not sent or cannot be read. */
export function retryAfterMs({ retryAfter }: RpcError): number | undefined {
  if (!retryAfter) return undefined;
  const ms = /^[0-9]+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** UTF-8 that comes in chunks, up to a number of bytes. What is longer becomes a sentence that is no JSON, and so a bad response. */
export class BoundedText {
  readonly #maxBytes: number;
  readonly #decoder = new TextDecoder();
  #bytes = 0;
  #text = "";

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** False when it is more than enough: there is no use in reading on. */
  add(chunk: Uint8Array): boolean {
    this.#bytes += chunk.byteLength;
    if (this.#bytes > this.#maxBytes) return false;
    this.#text += this.#decoder.decode(chunk, { stream: true });
    return true;
  }

  end(): string {
    if (this.#bytes > this.#maxBytes) return `more than ${this.#maxBytes} bytes: ${this.#text.slice(0, 100)}`;
    return this.#text + this.#decoder.decode();
  }
}

/** All of a body that is not longer. */
export async function readBounded(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<string> {
  const text = new BoundedText(maxBytes);
  const reader = body?.getReader();
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    if (text.add(part.value)) continue;
    await reader?.cancel();
    break;
  }
  return text.end();
}

/** `fetch` with a bound on answers, counted after decompression: a longer one is not read to its end and fails with -5. Streams have a bound on items instead. */
export function boundedFetch(maxResponseBytes: number): Transport {
  return async (url, init) => {
    const { status, headers, body } = await fetch(url, init);
    return { status, headers, body, text: () => readBounded(body, maxResponseBytes) };
  };
}

/** One request without a network, as a server core reads it. */
export interface MemoryRequest {
  readonly method: "POST";
  /** With what the client's `url` has before the schema's own path. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, or a form where a request has files: `new Request(url, { method, headers, body })` takes both. */
  readonly body: string | FormData;
}

export interface MemoryResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The body itself where the server streams. */
  readonly body: string | ReadableStream<Uint8Array>;
}

/** Calls a server in the same process: for tests, and for one service that calls another on the same host. */
export function memoryTransport(serve: (request: MemoryRequest) => Promise<MemoryResponse>): Transport {
  return async (url, { method, headers, body }) => {
    const path = new URL(url, "http://memory").pathname;
    const response = await serve({ method, path, headers: lowerCase(headers), body });
    const answered = lowerCase(response.headers ?? {});
    return {
      status: response.status,
      headers: { get: (name) => answered[name] ?? null },
      text: async () =>
        typeof response.body === "string" ? response.body : new Response(response.body).text(),
      body: typeof response.body === "string" ? null : response.body,
    };
  };
}

function lowerCase(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
