import {
  type Check,
  describeIssues,
  endOfString,
  hasLoneSurrogate,
  hasOwn,
  issue,
  type Issues,
  issuesOfAll,
  type JsonForm,
  type RequestValidators,
  type ResponseValidator,
  type ResponseValidators,
  type ServiceValidators,
  type UploadedFile,
  type Validators,
} from "./common.ts";

/*
 * Errors of the contract, as handlers and hooks raise them: `return ctx.errors.NotFound()`. They are values with a type of their
 * own, so that the compiler knows which of them a method may answer. They may be thrown as well.
 */

/** An error of the schema or of the protocol. */
export interface ErrorInfo {
  readonly name: string;
  /** Above 0 for errors of the schema, 0 and below for those of the protocol. */
  readonly code: number;
  readonly message: string;
  /** Of HTTP. */
  readonly status: number;
}

/** What may be said about one failure beside which error it is. */
export type FailureAbout = PrivateCause | PublicCause;

interface PrivateCause extends FailureHeaders {
  /** For the log only: the error that was caught, or any text. */
  readonly cause?: unknown;
  readonly expose?: false;
}

interface PublicCause extends FailureHeaders {
  /** Sent to the caller, because `expose` says that it is meant for them. */
  readonly cause: string;
  readonly expose: true;
}

interface FailureHeaders {
  /** Sent with the answer: `{ "Retry-After": "30" }`. */
  readonly headers?: Readonly<Record<string, string>>;
}

export type ErrorMaker<Name extends string> = (about?: FailureAbout) => RpcFailure<Name>;

/** A function an error: `errors.NotFound({ cause: "no such audience", expose: true })`. */
export type ErrorMakers<Name extends string> = { readonly [Key in Name]: ErrorMaker<Key> };

/** Keeps failures out of the type of replies, also of replies without a required field, which would take any object. */
export interface NotAFailure {
  readonly "~raises"?: never;
}

const hidden = { writable: true, configurable: true, enumerable: false };

/**
 * One failure of a call. Made by `ctx.errors`, `call.errors` or `rpcError` only: what merely looks like one, or is one of
 * another API, is an unknown error and none of its text leaves the server.
 */
export class RpcFailure<Name extends string = string> extends Error {
  /** For the compiler alone. No field of a schema can have this name. */
  declare readonly "~raises": Name;
  readonly code: number;
  readonly status: number;
  readonly #info: ErrorInfo;
  readonly #about: FailureAbout;

  constructor(info: ErrorInfo, about: FailureAbout = {}) {
    super(info.message);
    // As the option `cause` of ES2022 sets it; older libraries of types do not know that option.
    if (about.cause !== undefined) Object.defineProperty(this, "cause", { value: about.cause, ...hidden });
    this.name = info.name;
    this.code = info.code;
    this.status = info.status;
    this.#info = info;
    this.#about = about;
  }

  /** The very failure that was made, whatever was done to its properties since; undefined for anything else. */
  static read(value: unknown): RaisedFailure | undefined {
    if (typeof value !== "object" || value === null || !(#info in value)) return undefined;
    const { headers, cause, expose } = value.#about;
    return {
      info: value.#info,
      publicCause: expose === true && typeof cause === "string" ? cause : undefined,
      headers,
    };
  }
}

export interface RaisedFailure {
  readonly info: ErrorInfo;
  readonly publicCause: string | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** Of a request that does not fit its type. */
  readonly issues?: Issues | undefined;
}

/** Makers of the given errors, by name. */
export function errorMakers<Name extends string>(infos: readonly ErrorInfo[]): ErrorMakers<Name> {
  const makers = infos.map((info) => [info.name, (about?: FailureAbout) => new RpcFailure(info, about)]);
  return Object.freeze(Object.fromEntries(makers)) as ErrorMakers<Name>;
}

/** Makes one of the protocol's own errors by its code. For interop: the core raises them by itself. */
export function builtinMaker(
  infos: readonly ErrorInfo[],
): (code: number, about?: FailureAbout) => RpcFailure<never> {
  return (code, about) => {
    const info = infos.find((builtin) => builtin.code === code);
    if (info === undefined) throw new RangeError(`no built-in error has the code ${code}`);
    return new RpcFailure<never>(info, about);
  };
}

/** A file as an answer. */

/** What a handler answers with a file: a `Blob` as `openAsBlob(path, { type })` of `node:fs` gives it, or bytes and what they are. */
export type FileReply = Blob | FileBytes;

export interface FileBytes {
  /** Asked for a chunk when there is room for it. Streams of Node are such iterables. */
  readonly body: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array> | Uint8Array;
  /** Media type. Default `application/octet-stream`. */
  readonly type?: string;
  /** What it is called where it is saved. */
  readonly name?: string;
  /** In bytes, if it is known. A body of another size cuts the connection. */
  readonly size?: number;
  /**
   * Whether browsers show the file or save it. Default `inline` for images, sound, video, plain text, CSV, JSON and PDF, and
   * `attachment` for all other types: HTML, SVG and XML would run scripts of whoever wrote the file in the server's origin.
   */
  readonly disposition?: "inline" | "attachment";
}

/** A file on its way: its bytes, and a call when they are out or nobody wants them. */
export class OutgoingFile implements AsyncIterableIterator<Uint8Array> {
  readonly headers: Readonly<Record<string, string>>;
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #size: number | undefined;
  readonly #onEnd: (failure: Error | undefined, isWhole: boolean) => void;
  #sent = 0;
  #isOver = false;

  /** `onEnd` is called once. */
  constructor(reply: FileReply, onEnd: (failure: Error | undefined, isWhole: boolean) => void) {
    const file = reply instanceof Blob ? ofBlob(reply) : reply;
    this.#chunks = chunksOf(file.body);
    this.#size = file.size ?? (file.body instanceof Uint8Array ? file.body.byteLength : undefined);
    this.#onEnd = onEnd;
    this.headers = {
      "Content-Type": typeOf(file),
      ...(this.#size !== undefined && { "Content-Length": String(this.#size) }),
      "Content-Disposition": dispositionOf(file),
      "X-Content-Type-Options": "nosniff",
    };
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (this.#isOver) return { done: true, value: undefined };
    try {
      const { done, value } = await this.#chunks.next();
      if (this.#isOver) return { done: true, value: undefined };
      if (done !== true) this.#sent += value.byteLength;
      const size = this.#size ?? this.#sent;
      if (this.#sent > size || (done === true && this.#sent < size)) {
        throw new RangeError(`a file of ${size} bytes has ${done === true ? this.#sent : "more"}`);
      }
      if (done !== true) return { done: false, value };
    } catch (thrown) {
      const failure = thrown instanceof Error ? thrown : new Error(`${thrown}`);
      this.#end(failure, true);
      throw failure;
    }
    this.#end(undefined, true);
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.leave();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** The caller has gone. */
  leave(): void {
    this.#end(undefined, false);
  }

  #end(failure: Error | undefined, isWhole: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    // What a handler's iterator throws while it is sent home has nobody left to hear it.
    (async () => this.#chunks.return?.())().catch(() => {});
    this.#onEnd(failure, isWhole);
  }
}

/** Whether a handler has answered a file at all. */
export function isFileReply(value: unknown): value is FileReply {
  if (value instanceof Blob) return true;
  if (typeof value !== "object" || value === null || !("body" in value)) return false;
  const { body } = value;
  return typeof body === "object" && body !== null && (body instanceof Uint8Array || isStream(body));
}

function isStream(body: object): boolean {
  return Symbol.asyncIterator in body || body instanceof ReadableStream;
}

function ofBlob(blob: Blob): FileBytes {
  const name = "name" in blob && typeof blob.name === "string" ? { name: blob.name } : {};
  return { body: blob.stream(), type: blob.type, size: blob.size, ...name };
}

function chunksOf(body: FileBytes["body"]): AsyncIterator<Uint8Array> {
  if (body instanceof Uint8Array) return [body].values() as unknown as AsyncIterator<Uint8Array>;
  // Not every platform iterates its streams.
  if (!(body instanceof ReadableStream)) return body[Symbol.asyncIterator]();
  const reader = body.getReader();
  return {
    next: () => reader.read() as Promise<IteratorResult<Uint8Array>>,
    return: async () => {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
}

function typeOf({ type = "" }: FileBytes): string {
  return /^[\w.+-]+\/[\w.+-]+(;[\t\x20-\x7e]*)?$/.test(type) ? type : "application/octet-stream";
}

const loneSurrogate = /\p{Surrogate}/gu;

/** RFC 6266: plain letters for all, and the name itself for those who read UTF-8. */
const shownTypes =
  /^(image\/(?!svg)[\w.+-]+|(audio|video)\/[\w.+-]+|text\/(plain|csv)|application\/(json|pdf|octet-stream))\s*(;|$)/i;

function dispositionOf(file: FileBytes): string {
  const { name, disposition = shownTypes.test(typeOf(file)) ? "inline" : "attachment" } = file;
  if (name === undefined || name === "") return disposition;
  const plain = name.replace(/[^\x20-\x7e]|["\\/%]/g, "_");
  const whole = encodeURIComponent(name.replace(loneSurrogate, "_")).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${disposition}; filename="${plain}"${plain === name ? "" : `; filename*=UTF-8''${whole}`}`;
}

/* What a handler sees and answers. */

export type Awaitable<Value> = Value | Promise<Value>;

/**
 * One method of a service: `(ctx, req) => reply`. Answers the reply, or one of the method's errors. Anything else that it throws
 * is WebrpcInternalError with a fixed text on the wire; what was thrown goes to the log.
 */
export type Handler<Host, Request, Reply, ErrorName extends string> = (
  ctx: HandlerContext<Host, ErrorName>,
  req: Request,
) => Awaitable<NoFailure<Reply> | RpcFailure<ErrorName>>;

/**
 * One method that streams, most often an `async function*`: what it yields goes out item by item, and a failure that it returns or
 * throws is the last thing that the caller gets. It is asked for an item when there is room for it. When the caller leaves,
 * `ctx.signal` aborts first and then its `finally` runs: pass the signal to everything that waits.
 */
export type StreamHandler<Host, Request, Item, ErrorName extends string> = (
  ctx: HandlerContext<Host, ErrorName>,
  req: Request,
) => Awaitable<Items<Item, ErrorName> | RpcFailure<ErrorName>>;

/** What an `async function*` gives. */
export type Items<Item, ErrorName extends string> = AsyncIterable<
  NoFailure<Item>,
  // biome-ignore lint/suspicious/noConfusingVoidType: a generator without a return statement returns void
  RpcFailure<ErrorName> | undefined | void
>;

/** One method whose answer is a file: `async (ctx, req) => openAsBlob(path, { type: "image/png" })`, with `openAsBlob` of `node:fs`. */
export type FileHandler<Host, Request, ErrorName extends string> = (
  ctx: HandlerContext<Host, ErrorName>,
  req: Request,
) => Awaitable<FileReply | RpcFailure<ErrorName>>;

/** Without it, a reply whose fields are all optional would take the failures of other methods. */
type NoFailure<Reply> = Reply extends object ? Reply & NotAFailure : Reply;

/** The reply of a method without outputs: nothing, or `{}`. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a return statement answers void
export type NoFields = void | Record<string, never>;

export interface HandlerContext<Host, ErrorName extends string = string> {
  readonly method: MethodInfo;
  /** Stands in the log beside every failure of this call, and in the answer's `X-Request-Id` if the call fails. */
  readonly requestId: string;
  /** Aborted when the caller goes away or the deadline passes. Pass it to everything that waits. */
  readonly signal: AbortSignal;
  /** What the host's `context` hook made of this call. */
  readonly host: Host;
  /** The errors that this method may raise, and no others: `return ctx.errors.NotFound()`. */
  readonly errors: ErrorMakers<ErrorName>;
}

export interface MethodInfo {
  /** Names as in the schema. */
  readonly service: string;
  readonly name: string;
  /** `/rpc/Marketplace/GetOrders`. */
  readonly path: string;
  /** By name; `true` without a value: `{ auth: "accessKey", readonly: true }`. */
  readonly annotations: Readonly<Record<string, string | true>>;
}

/* The validators of a method, loaded with the first call that needs them. */

/** Loads the validators of a service, once for all that ask. */
export type LoadValidators = () => Promise<{
  readonly requests: RequestValidators;
  readonly responses: ResponseValidators;
}>;

/** Of answers only what is used: they are checked where the host asks for it, and written where JSON.stringify alone does it wrong. */
export function validatorLoader(
  { requests, responses, isWriting }: ServiceValidators,
  checksResponses: boolean,
): LoadValidators {
  let loading: ReturnType<LoadValidators> | undefined;
  const load: LoadValidators = async () => {
    const [read, written] = await Promise.all([
      requests(),
      checksResponses || isWriting === true ? responses() : undefined,
    ]);
    return { requests: read.requests, responses: written?.responses ?? {} };
  };
  return () => {
    loading ??= load().catch((thrown: unknown) => {
      // The calls that wait for it fail; the next one tries again.
      loading = undefined;
      throw thrown;
    });
    return loading;
  };
}

/** The functions of one method, all of them undefined before they are loaded. */
export class MethodValidators {
  isLoaded: boolean;
  readRequest: Check | undefined;
  checkResponse: Check | undefined;
  writeResponse: ResponseValidator["write"];
  readonly #path: string;
  readonly #load: LoadValidators | undefined;

  /** Without a loader nothing is checked. */
  constructor(path: string, load: LoadValidators | undefined) {
    this.#path = path;
    this.#load = load;
    this.isLoaded = load === undefined;
  }

  async load(): Promise<void> {
    const loaded = await this.#load?.();
    this.readRequest = loaded?.requests[this.#path];
    this.checkResponse = loaded?.responses[this.#path]?.check;
    this.writeResponse = loaded?.responses[this.#path]?.write;
    this.isLoaded = true;
  }
}

/* JSON text of a request, from a caller that nobody trusts yet. */

/** Why a body is not read; the text is for the caller. */
export class BodyFault {
  readonly reason: string;
  /** Of JSON that does not fit its type. */
  readonly issues: Issues | undefined;
  constructor(reason: string, issues?: Issues) {
    this.reason = reason;
    this.issues = issues;
  }

  static of(issues: Issues): BodyFault {
    return new BodyFault(describeIssues(issues), issues);
  }
}

/**
 * Parses JSON, or answers a BodyFault for what `JSON.parse` alone lets pass: nesting past `maxDepth`, a key `__proto__`, NUL
 * or a lone surrogate in a key or a string. All are looked for in the text and in every spelling, because to walk a mebibyte of
 * small values takes four times as long as to parse it; ordinary text costs a few native searches beside the parsing.
 */
export function parseJson(
  text: string,
  maxDepth: number,
  parse: (text: string) => unknown = JSON.parse,
): unknown {
  if (mayBeDeeper(text, maxDepth) && isDeeper(text, maxDepth)) {
    return new BodyFault(`JSON is nested deeper than ${maxDepth}`);
  }
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    return new BodyFault(`not JSON${placeIn(error)}`);
  }
  return forbiddenIn(text) ?? value;
}

/** A string that is exactly this name and is followed by a colon. A quote after a backslash begins no string. */
const protoKey =
  /(?<!\\)"(?:_|\\u005[fF]){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006[fF])(?:t|\\u0074)(?:o|\\u006[fF])(?:_|\\u005[fF]){2}"[ \t\n\r]*:/;
const nulFault = "NUL in a key or a string";
/** After an even number of backslashes: an odd one is of the escape before. JSON has no other spelling of NUL. */
const nul = /(?<!\\)(?:\\\\)*\\u0000/;

/** Of text that is JSON. */
function forbiddenIn(text: string): BodyFault | undefined {
  const hasEscapes = text.includes("\\u00");
  if (hasEscapes && nul.test(text)) return new BodyFault(nulFault);
  if (escapesLoneSurrogate(text)) return new BodyFault(surrogateFault);
  return (hasEscapes || text.includes("__proto__")) && protoKey.test(text)
    ? new BodyFault('a key "__proto__"')
    : undefined;
}

const surrogateFault = "a lone surrogate in a key or a string";
/** The digits after `\u` of the first and of the second half of a pair. */
const highDigits = /^[dD][89abAB]/;
const lowDigits = /^[dD][c-fC-F]/;

/**
 * Of text that is JSON. Only an escape can spell half a pair there: the text was read from UTF-8. Escapes are visited one by one, since
 * the second backslash of `\\ud800` begins none.
 */
function escapesLoneSurrogate(text: string): boolean {
  if (!text.includes("\\ud") && !text.includes("\\uD")) return false;
  for (let at = text.indexOf("\\"); at !== -1; at = text.indexOf("\\", at + 2)) {
    if (text[at + 1] !== "u") continue;
    const digits = text.slice(at + 2, at + 4);
    if (lowDigits.test(digits)) return true;
    if (!highDigits.test(digits)) continue;
    at += 6;
    if (!text.startsWith("\\u", at) || !lowDigits.test(text.slice(at + 2, at + 4))) return true;
  }
  return false;
}

/** Faults of a value that somebody else has parsed. */
export function checkParsed(value: unknown, maxDepth: number): BodyFault | undefined {
  return findForbidden(value, maxDepth);
}

/** `JSON.parse` repeats the text around the mistake, which may be a secret; its position is enough. */
function placeIn(error: unknown): string {
  const position = error instanceof Error ? /at position \d+/.exec(error.message)?.[0] : undefined;
  return position === undefined ? "" : ` ${position}`;
}

/** Counts openings by native search, up to the limit: a text with fewer cannot be deeper. */
function mayBeDeeper(text: string, maxDepth: number): boolean {
  // Each level takes an opening and a closing.
  if (text.length <= maxDepth * 2) return false;
  let count = 0;
  for (const opening of ["{", "["]) {
    for (let at = text.indexOf(opening); at !== -1; at = text.indexOf(opening, at + 1)) {
      if (++count > maxDepth) return true;
    }
  }
  return false;
}

/** Follows the nesting outside of strings. Before parsing, because `JSON.parse` takes 100 ms for a mebibyte of brackets. */
function isDeeper(text: string, maxDepth: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = endOfString(text, at);
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > maxDepth) return true;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        break;
    }
  }
  return false;
}

function faultOfText(text: string): BodyFault | undefined {
  if (text.includes("\0")) return new BodyFault(nulFault);
  return hasLoneSurrogate(text) ? new BodyFault(surrogateFault) : undefined;
}

/** Walks a value without recursion: one that somebody else parsed may be of any depth. */
function findForbidden(root: unknown, maxDepth = Number.POSITIVE_INFINITY): BodyFault | undefined {
  const values: unknown[] = [root];
  const depths: number[] = [1];
  while (values.length > 0) {
    const value = values.pop();
    const depth = depths.pop() ?? 1;
    const textFault = typeof value === "string" ? faultOfText(value) : undefined;
    if (textFault !== undefined) return textFault;
    if (typeof value !== "object" || value === null) continue;
    if (depth > maxDepth) return new BodyFault(`JSON is nested deeper than ${maxDepth}`);
    for (const [key, entry] of Object.entries(value)) {
      if (key === "__proto__") return new BodyFault('a key "__proto__"');
      const keyFault = faultOfText(key);
      if (keyFault !== undefined) return keyFault;
      values.push(entry);
      depths.push(depth + 1);
    }
  }
  return undefined;
}

/* What the core and the receiver of files know of each other. Nothing here reads files. */

/** An argument that is a file. */
export interface FileField {
  readonly name: string;
  readonly isOptional?: true;
  readonly isList?: true;
}

/** Bounds of uploads, and where they go. */
export interface UploadOptions {
  /** Largest file that is taken, in bytes. Default 64 MiB. */
  readonly fileMaxBytes: number;
  /** Most files in one call. Default 10. */
  readonly filesMax: number;
  /** Where files lie while a call lasts, each call's in a folder of its own. Default: the system's folder for temporary files. */
  readonly folder?: string;
}

export const defaultUploadOptions: UploadOptions = { fileMaxBytes: 64 * 1024 * 1024, filesMax: 10 };

/** What is to be received. */
export interface UploadCall extends UploadOptions {
  readonly contentType: string;
  readonly fields: readonly FileField[];
  /** Of the part with the arguments that are no files, in bytes. */
  readonly bodyMaxBytes: number;
}

export interface Upload {
  /** JSON text of the arguments that are no files; empty if there is none. */
  readonly json: string;
  readonly files: ReadonlyMap<string, readonly UploadedFile[]>;
  /** Removes the files that nobody has moved. */
  discard(): Promise<void>;
}

/** Takes a form as it arrives. Rejects only by a fault of the host, as a full disk. */
export type ReceiveUpload = (
  body: AsyncIterable<Uint8Array>,
  call: UploadCall,
) => Promise<Upload | BodyFault>;

/** Puts files where the handler looks for them. What a caller wrote there as JSON is no file and goes. */
export function addFiles(request: object, { files }: Upload, fields: readonly FileField[]): void {
  for (const { name, isList } of fields) {
    const received = files.get(name) ?? [];
    const value = isList ? received : received[0];
    Reflect.deleteProperty(request, name);
    if (value !== undefined)
      Object.defineProperty(request, name, { value, enumerable: true, writable: true });
  }
}

/* An API as plain data, as the generator prints it, and what the core makes of it once at start. */

export interface ApiDefinition {
  /** Starts and ends with "/". */
  readonly basepath: string;
  /** Value of the header `Webrpc`. */
  readonly webrpc: string;
  readonly builtinErrors: readonly ErrorInfo[];
  readonly schemaErrors: readonly ErrorInfo[];
  readonly services: readonly ServiceDefinition[];
  readonly validators: Validators;
  /** Where integers of 64 bits are bigints. Default: JSON as JavaScript has it. */
  readonly json?: JsonForm;
  /** Where methods take files. */
  readonly receiveUpload?: ReceiveUpload;
}

export interface ServiceDefinition {
  readonly name: string;
  readonly methods: readonly MethodDefinition[];
}

export interface MethodDefinition {
  readonly name: string;
  readonly path: string;
  readonly annotations: Readonly<Record<string, string | true>>;
  /** Names of the errors that the handler may raise; undefined: any of the schema. */
  readonly errors?: readonly string[];
  /** The request has no fields: it may be left out. */
  readonly emptyRequest?: true;
  /** The reply has no fields: `{}` is written whatever the handler answers. */
  readonly emptyResponse?: true;
  /** The handler answers items one by one; what is said of the reply is said of each. */
  readonly stream?: true;
  /** Files that come with the request, which is a form then. */
  readonly files?: readonly FileField[];
  /** The handler answers a file. */
  readonly fileResponse?: true;
  /** A bigint is somewhere in the reply; it is written as a decimal string. */
  readonly bigintResponse?: true;
}

/** A method with all that its calls need, so that a call looks up one map once. */
export interface Method {
  readonly info: MethodInfo;
  readonly definition: MethodDefinition;
  readonly isStream: boolean;
  readonly handle: (ctx: unknown, req: unknown) => unknown;
  readonly validators: MethodValidators;
  readonly errors: ErrorMakers<string>;
  /** Errors that the handler may raise. */
  readonly allowed: ReadonlySet<ErrorInfo>;
}

/** Methods by path, from handlers by service and method, both by their names in the schema. A service without handlers is not served; one with a method missing is a mistake that the types name first. */
export function buildMethods(
  api: ApiDefinition,
  handlers: object,
  checksResponses: boolean,
): ReadonlyMap<string, Method> {
  const methods = new Map<string, Method>();
  const missing: string[] = [];
  for (const service of api.services) {
    const own = lookUp(handlers, service.name);
    if (typeof own !== "object" || own === null) continue;
    const validators = lookUp(api.validators, service.name) as ServiceValidators | undefined;
    const load = validators === undefined ? undefined : validatorLoader(validators, checksResponses);
    for (const definition of service.methods) {
      const handle = lookUp(own, definition.name);
      if (typeof handle !== "function") {
        missing.push(`${service.name}.${definition.name}`);
        continue;
      }
      const method = buildMethod(api, service.name, definition, handle.bind(own), load);
      methods.set(definition.path, method);
    }
  }
  if (missing.length > 0) throw new MissingHandlers(missing);
  return methods;
}

/** Thrown where a server is created without a handler for each method of a service. */
class MissingHandlers extends TypeError {
  override readonly name = "MissingHandlers";

  constructor(methods: readonly string[]) {
    super(
      `no handler for ${methods.join(", ")}: "npx ridlkit scaffold" writes missing handlers and follows renames`,
    );
  }
}

function buildMethod(
  api: ApiDefinition,
  service: string,
  definition: MethodDefinition,
  handle: Method["handle"],
  load: LoadValidators | undefined,
): Method {
  const { name, path, annotations, errors } = definition;
  const raised = api.schemaErrors.filter((error) => errors?.includes(error.name) ?? true);
  return {
    info: Object.freeze({ service, name, path, annotations: Object.freeze({ ...annotations }) }),
    definition,
    isStream: definition.stream === true,
    handle,
    validators: new MethodValidators(path, load),
    errors: errorMakers(raised),
    allowed: new Set([...raised, ...api.builtinErrors]),
  };
}

/** Names come from the schema, and `constructor` is a name like any other; handlers may be methods of a class. */
function lookUp(record: object, name: string): unknown {
  if (!hasOwn(record, name) && name in Object.prototype) return undefined;
  return (record as Readonly<Record<string, unknown>>)[name];
}

/** Who made a call, as far as it is known while the call lasts. */

/** How the core reaches the caller; an adapter makes one a request. */
export interface Transport<Carrier> {
  readonly carrier: Carrier;
  /** By its name in lower case. */
  header(name: string): string | undefined;
  /** Calls back once if the caller goes away before it has the answer; at once if it is gone already. */
  whenGone(callback: () => void): void;
}

export interface Caller<Carrier> {
  readonly transport: Transport<Carrier>;
  readonly requestId: string;
  /** Aborts when the caller goes away. */
  readonly signal: AbortSignal;
}

/** What an adapter and a streamed answer know of each other. */

/** Where an adapter sends the bytes. */
export interface Sink {
  /** UTF-8 text. False: full, and the next `resume` says when it no longer is. */
  write(text: string): boolean;
  end(): void;
  /** Ends without the rest: the caller must not take it for the whole. */
  destroy(): void;
}

export interface ReplyStream {
  /** Begins to send. The head of the answer is out. */
  open(sink: Sink): void;
  /** There is room again. */
  resume(): void;
  /** The caller has gone. */
  leave(): void;
}

/* Failures as answers: the envelope `{ error, code, msg, cause?, status, issues? }`, built here and nowhere else. */

/** What goes back to the caller. The adapter adds `Content-Type`, `Content-Length` and `Webrpc`. */
export interface Reply {
  readonly status: number;
  /** JSON. */
  readonly body: string;
  /** Undefined on most answers. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly error: ErrorInfo | undefined;
  /** For the log. */
  readonly cause: unknown;
  /** Sent in place of the body, a line an item. Undefined on most answers. */
  readonly stream: ReplyStream | undefined;
  /** Sent in place of the body. Its headers are among those of the answer. */
  readonly file?: OutgoingFile;
}

/** Codes of the errors that the core raises. */
export const builtinCode = {
  endpoint: 0,
  badRoute: -2,
  badMethod: -3,
  badRequest: -4,
  badResponse: -5,
  serverPanic: -6,
  internalError: -7,
  clientGone: -8,
  streamLost: -9,
} as const;

export type BuiltinCode = (typeof builtinCode)[keyof typeof builtinCode];

export function successReply(body: string): Reply {
  return { status: 200, body, headers: undefined, error: undefined, cause: undefined, stream: undefined };
}

/** The head of a streamed answer. `X-Accel-Buffering` asks nginx, and who understands its words, not to hold lines back. */
export function streamReply(stream: ReplyStream, requestId: string): Reply {
  const headers = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Accel-Buffering": "no",
    "X-Request-Id": requestId,
  };
  return { status: 200, body: "", headers, error: undefined, cause: undefined, stream };
}

export function fileReply(file: OutgoingFile, requestId: string): Reply {
  return { ...successReply(""), headers: { ...file.headers, "X-Request-Id": requestId }, file };
}

/** Lines of JSON. */
export const streamType = "application/x-ndjson";

/** The envelope of a failure. `cause` is for the log; what the caller reads is the failure's public cause. */
export function failureReply({ info, publicCause, headers, issues }: RaisedFailure, cause?: unknown): Reply {
  const { name, code, message, status } = info;
  // JSON leaves out what is undefined.
  const body = JSON.stringify({
    error: name,
    code,
    msg: message,
    cause: publicCause,
    status,
    issues: issues?.listed,
  });
  return { status, body, headers, error: info, cause, stream: undefined };
}

/* Watching request bodies while they arrive: hosts bound the memory that bodies hold and the rate at which they come. */

/** A body that is about to be read. */
export interface ArrivingBody<Carrier = unknown> {
  /** Koa's context, Node's request, or the web's `Request`. */
  readonly carrier: Carrier;
  /** The body is a form with files, which go to the disk instead of memory. */
  readonly hasFiles: boolean;
  /** Ends the reading; the call fails with WebrpcBadRequest and this reason, or with this error. Not to be called before the watcher is returned. */
  readonly refuse: (refusal: string | RpcFailure) => void;
}

export interface BodyWatcher {
  arrived(bytes: number): void;
  /** Called once, when the body is complete, refused, or broken off. */
  ended(): void;
}

export type WatchBody<Carrier = unknown> = (body: ArrivingBody<Carrier>) => BodyWatcher;

export type BodyRefusal = BodyFault | RpcFailure;

/** What readers of bodies use of an exchange. */
export interface WatchedCall {
  /** Undefined: the host watches no bodies. */
  watchBody(refuse: (refusal: BodyRefusal) => void): BodyWatcher | undefined;
}

export function asRefusal(refusal: string | RpcFailure): BodyRefusal {
  return typeof refusal === "string" ? new BodyFault(refusal) : refusal;
}

/** The chunks of a form, for its receiver. */
export class WatchedChunks implements AsyncIterable<Uint8Array> {
  /** Why the reading ended early. */
  refusal: BodyRefusal | undefined;
  readonly #chunks: AsyncIterable<Uint8Array>;
  readonly #watcher: BodyWatcher | undefined;
  /** Ends the wait for the next chunk. */
  #stopWaiting = (): void => {};

  constructor(chunks: AsyncIterable<Uint8Array>, call: WatchedCall) {
    this.#chunks = chunks;
    this.#watcher = call.watchBody((refusal) => {
      this.refusal = refusal;
      this.#stopWaiting();
    });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const chunks = this.#chunks[Symbol.asyncIterator]();
    try {
      while (this.refusal === undefined) {
        const { done, value } = await this.#next(chunks);
        if (done === true) return;
        this.#watcher?.arrived(value.byteLength);
        yield value;
      }
    } finally {
      this.#watcher?.ended();
      // A sender that has stopped would hold up whoever waits for this.
      chunks.return?.().catch(() => {});
    }
  }

  /** `Promise.race` with one promise for all chunks would keep all of them in memory. */
  #next(chunks: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array, undefined>> {
    return new Promise((resolve, reject) => {
      this.#stopWaiting = () => resolve({ done: true, value: undefined });
      chunks.next().then(resolve, reject);
    });
  }
}

/*
 * A streamed answer on its way to the caller: a line an item, an empty line as a sign of life, and an error as the last line.
 * It holds one item at most: while the caller does not read, the handler is not asked for the next.
 */

/** Bounds of a stream. */
export interface StreamLimits {
  /** Time between two signs of life, in milliseconds. Default 10,000, which is webrpc's: its clients give up after 11 s to 22 s. */
  readonly pingMs: number;
  /** How long a caller may leave full buffers unread before the connection is cut. Default 120,000. 0: no bound. */
  readonly stallMs: number;
  /** The longest life of a stream; its caller is told that it is lost and asks anew. Default 0: no bound. */
  readonly maxMs: number;
}

export const defaultStreamLimits: StreamLimits = { pingMs: 10_000, stallMs: 120_000, maxMs: 0 };

/** What a stream asks of the call that it answers. */
export interface StreamCall {
  readonly limits: StreamLimits;
  /** An item as an answer of its own: its JSON, or the failure that ends the stream. */
  encode(item: unknown): Reply;
  /** What was thrown or returned in place of an item, as a failure. */
  fail(thrown: unknown): Reply;
  /** WebrpcStreamLost. */
  lost(cause: string): Reply;
  /** Tells the handler by its signal that nobody waits any more. */
  abort(reason: DOMException): void;
  /** Called once, with what the stream ended in; undefined: whole. `isWritable`: the caller was there to the end. */
  onEnd(failure: Reply | undefined, isWritable: boolean): void;
}

export class OutgoingStream implements ReplyStream {
  readonly #items: AsyncIterable<unknown>;
  readonly #call: StreamCall;
  #iterator: AsyncIterator<unknown> | undefined;
  #sink: Sink | undefined;
  #pinger: ReturnType<typeof setInterval> | undefined;
  #life: ReturnType<typeof setTimeout> | undefined;
  #stall: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;
  #isFull = false;
  /** Wakes the loop that waits for room. */
  #wake: (() => void) | undefined;
  #freed: Promise<unknown> = Promise.resolve();

  constructor(items: AsyncIterable<unknown>, call: StreamCall) {
    this.#items = items;
    this.#call = call;
  }

  /** Settles when the handler's iterator is done, also where it takes its time after the caller has left. */
  get freed(): Promise<unknown> {
    return this.#freed;
  }

  open(sink: Sink): void {
    if (this.#isOver) {
      sink.destroy();
      return;
    }
    const { pingMs, maxMs } = this.#call.limits;
    this.#sink = sink;
    this.#write("\n");
    this.#pinger = setInterval(() => {
      // Who has not read the last one needs no more of them.
      if (!this.#isFull) this.#write("\n");
    }, pingMs);
    if (maxMs > 0) this.#life = setTimeout(() => this.lose("the stream has lasted as long as it may"), maxMs);
    this.#freed = this.#run();
  }

  resume(): void {
    this.#isFull = false;
    clearTimeout(this.#stall);
    this.#wake?.();
  }

  leave(): void {
    if (this.#isOver) return;
    this.#stop(undefined, false);
    this.#free(new DOMException("the caller went away", "AbortError"));
  }

  /** Ends the stream from our side; who reads it may ask for it anew. */
  lose(cause: string): void {
    if (this.#isOver) return;
    this.#finish(this.#call.lost(cause));
    this.#free(new DOMException(cause, "AbortError"));
  }

  async #run(): Promise<void> {
    try {
      this.#iterator = this.#items[Symbol.asyncIterator]();
      while (!this.#isOver) {
        if (this.#isFull) await this.#room();
        if (this.#isOver) break;
        const { done, value } = await this.#iterator.next();
        if (this.#isOver) break;
        if (done === true) this.#finish(value === undefined ? undefined : this.#call.fail(value));
        else this.#send(value);
      }
    } catch (thrown) {
      if (!this.#isOver) this.#finish(this.#call.fail(thrown));
    }
  }

  #send(item: unknown): void {
    const reply = item instanceof Error ? this.#call.fail(item) : this.#call.encode(item);
    if (reply.error === undefined) {
      this.#write(`${reply.body}\n`);
    } else {
      this.#finish(reply);
      this.#free(new DOMException("the stream has failed", "AbortError"));
    }
  }

  #write(text: string): void {
    if (this.#sink?.write(text) !== false || this.#isFull) return;
    this.#isFull = true;
    const { stallMs } = this.#call.limits;
    if (stallMs > 0) this.#stall = setTimeout(() => this.#cut(), stallMs);
  }

  #room(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Nobody reads: an orderly end would wait behind what nobody reads. */
  #cut(): void {
    if (this.#isOver) return;
    const sink = this.#sink;
    this.#stop(this.#call.lost("the caller does not read"), false);
    this.#free(new DOMException("the caller does not read", "TimeoutError"));
    sink?.destroy();
  }

  #finish(failure: Reply | undefined): void {
    const sink = this.#sink;
    this.#stop(failure, true);
    if (failure !== undefined) sink?.write(`{"webrpcError":${failure.body}}\n`);
    sink?.end();
  }

  #stop(failure: Reply | undefined, isWritable: boolean): void {
    this.#isOver = true;
    this.#sink = undefined;
    clearInterval(this.#pinger);
    clearTimeout(this.#life);
    clearTimeout(this.#stall);
    this.#wake?.();
    this.#call.onEnd(failure, isWritable);
  }

  /** First the signal, so that a handler which waits stops waiting; then its `finally`. */
  #free(reason: DOMException): void {
    this.#call.abort(reason);
    const iterator = this.#iterator;
    // What a handler throws while it is sent home has nobody left to hear it.
    this.#freed = (async () => iterator?.return?.())().catch(() => {});
  }
}

/* Where a host joins in: before the body is read, and after the answer is decided. */

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
  /** Told of each call with its bodies, once it is answered: `openRecorder` of `server/recording.ts` makes one. What it throws is dropped. */
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

/* What all calls of one server share: its methods, its options with their defaults, and the answers that it gives by itself. */

const defaultLimits: Limits = { bodyMaxBytes: 1024 * 1024, jsonMaxDepth: 64 };

export class Core<Carrier> {
  readonly api: ApiDefinition;
  readonly limits: Limits;
  readonly guards: readonly Guard<string, Carrier>[];
  readonly makeContext: ServerOptions<unknown, string, Carrier>["context"];
  readonly checkRequest: ServerOptions<unknown, string, Carrier>["checkRequest"];
  readonly watchBody: ServerOptions<unknown, string, Carrier>["watchBody"];
  readonly deadline: Deadline | undefined;
  readonly isLogging: boolean;
  readonly isRecording: boolean;
  readonly streamLimits: StreamLimits;
  readonly uploadOptions: UploadOptions;
  /** Those that have not ended. */
  readonly streams: Set<OutgoingStream> = new Set();
  isDraining = false;
  readonly hasHooks: boolean;
  readonly schemaErrors: ErrorMakers<string>;
  readonly #options: ServerOptions<unknown, string, Carrier>;
  readonly #methods: ReadonlyMap<string, Method>;
  readonly #builtins: ReadonlyMap<number, ErrorInfo>;
  /** What hooks may raise. */
  readonly #known: ReadonlySet<ErrorInfo>;
  readonly #newId: () => string = countedIds();

  constructor(api: ApiDefinition, handlers: object, options: ServerOptions<unknown, string, Carrier>) {
    this.api = api;
    this.limits = { ...defaultLimits, ...options.limits };
    this.guards = options.guards ?? [];
    this.makeContext = options.context;
    this.checkRequest = options.checkRequest;
    this.watchBody = options.watchBody;
    this.deadline = options.deadline;
    this.streamLimits = { ...defaultStreamLimits, ...options.streams };
    this.uploadOptions = { ...defaultUploadOptions, ...options.uploads };
    this.isLogging = options.onDone !== undefined;
    this.isRecording = options.recorder !== undefined;
    this.hasHooks = this.guards.length > 0 || options.context !== undefined;
    this.schemaErrors = errorMakers(api.schemaErrors);
    this.#options = options;
    this.#methods = buildMethods(api, handlers, options.checkResponses === true);
    this.#builtins = new Map(api.builtinErrors.map((error) => [error.code, error]));
    this.#known = new Set([...api.builtinErrors, ...api.schemaErrors]);
  }

  /** One look-up for all methods, and a second one for names that need percent signs. */
  findMethod(path: string): Method | undefined {
    return this.#methods.get(path) ?? (path.includes("%") ? this.#methods.get(decodePath(path)) : undefined);
  }

  requestId(carrier: Carrier): string {
    try {
      return this.#options.requestId?.(carrier) ?? this.#newId();
    } catch {
      return this.#newId();
    }
  }

  log(entry: CallLog<Carrier>): void {
    try {
      this.#options.onDone?.(entry);
    } catch {
      // A log that fails must not fail the call that it logs, and there is no second log to tell.
    }
  }

  record(call: CallRecord): void {
    try {
      this.#options.recorder?.record(call);
    } catch {
      // As with a log.
    }
  }

  builtin(code: BuiltinCode, about: BuiltinAbout = {}): Reply {
    const info = this.#builtins.get(code) ?? unnamed(code);
    const { publicCause, headers, issues, cause } = about;
    return failureReply({ info, publicCause, headers, issues }, cause);
  }

  badRequest(reason: string, issues?: Issues): Reply {
    return this.builtin(builtinCode.badRequest, { publicCause: reason, issues, cause: reason });
  }

  badMethod(): Reply {
    return this.builtin(builtinCode.badMethod, {
      publicCause: "methods are called with POST",
      headers: { Allow: "POST" },
    });
  }

  badRoute(path: string, carrier: Carrier, stale: string | undefined): Reply {
    const cause = [this.#adviceOnRoute(path, carrier), stale].filter((text) => text !== undefined).join("; ");
    return this.builtin(builtinCode.badRoute, cause === "" ? {} : { publicCause: cause });
  }

  #adviceOnRoute(path: string, carrier: Carrier): string | undefined {
    try {
      return this.#options.adviseRoute?.(path, carrier);
    } catch {
      return undefined;
    }
  }

  /** What a hook threw or returned as a failure: an error of the schema, or else an internal error that says nothing. */
  fail(thrown: unknown): Reply {
    return this.#declared(thrown, this.#known) ?? this.#internalError(thrown);
  }

  /** The same of a handler: one of the errors of its method, or else what `unexpectedErrors` says. */
  failOf({ allowed }: Method, thrown: unknown): Reply {
    return this.#declared(thrown, allowed) ?? this.#unexpected(thrown);
  }

  #unexpected(thrown: unknown): Reply {
    const { unexpectedErrors = "internal" } = this.#options;
    if (unexpectedErrors === "internal") return this.#internalError(thrown);
    const publicCause = unexpectedErrors === "endpoint-with-message" ? messageOf(thrown) : undefined;
    return this.builtin(builtinCode.endpoint, { publicCause, cause: thrown });
  }

  #internalError(cause: unknown): Reply {
    return this.builtin(builtinCode.internalError, { cause });
  }

  #declared(thrown: unknown, allowed: ReadonlySet<ErrorInfo>): Reply | undefined {
    const raised = RpcFailure.read(thrown);
    if (raised !== undefined && allowed.has(raised.info)) {
      return failureReply(raised, (thrown as Caused).cause);
    }
    silence(thrown);
    return this.#failureOf(thrown);
  }

  /** What the host makes of something that the handler has not declared. */
  #failureOf(thrown: unknown): Reply | undefined {
    try {
      const failure = this.#options.failureOf?.(thrown);
      const raised = RpcFailure.read(failure);
      return raised !== undefined && this.#known.has(raised.info)
        ? failureReply(raised, (failure as Caused | undefined)?.cause)
        : undefined;
    } catch {
      return undefined;
    }
  }

  streamLost(cause: string): Reply {
    return this.builtin(builtinCode.streamLost, { publicCause: cause, cause });
  }

  /** Ends all streams, and settles when their handlers have. */
  async drain(): Promise<void> {
    this.isDraining = true;
    const open = [...this.streams];
    for (const stream of open) stream.lose("the server is stopping");
    await Promise.all(open.map(({ freed }) => freed));
  }

  pastDeadline(): Reply {
    try {
      return this.fail(this.deadline?.error(this.schemaErrors));
    } catch (thrown) {
      return this.fail(thrown);
    }
  }

  /** A handler's value as an answer. */
  encode(value: unknown, { definition, validators }: Method): Reply {
    if (definition.emptyResponse === true) return successReply("{}");
    try {
      if (this.#options.checkResponses === true) {
        const issues = validators.checkResponse?.(value);
        if (issues !== undefined) return this.badResponse(describeIssues(issues));
      }
      const written = validators.writeResponse === undefined ? value : validators.writeResponse(value);
      if (typeof written !== "object" || written === null) return this.badResponse("the reply is no object");
      const replacer = definition.bigintResponse === true ? bigintAsText : undefined;
      const { json } = this.api;
      const body: unknown = json === undefined ? JSON.stringify(written, replacer) : json.print(written);
      return typeof body === "string" ? successReply(body) : this.badResponse("the reply is no JSON");
    } catch (thrown) {
      silence(thrown);
      return this.badResponse(explained(thrown, value, validators.checkResponse));
    }
  }

  badResponse(cause: unknown): Reply {
    return this.builtin(builtinCode.badResponse, { cause });
  }
}

interface BuiltinAbout {
  readonly publicCause?: string | undefined;
  readonly issues?: Issues | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** Why a reply was not written: the check names the place, where the function that writes does not know it. */
function explained(thrown: unknown, value: unknown, check: Check | undefined): unknown {
  try {
    const issues = check?.(value);
    return issues === undefined ? thrown : describeIssues(issues);
  } catch {
    return thrown;
  }
}

/** Longest message that is sent of an unexpected error, in UTF-16 units. */
const messageMaxLength = 1_000;

/** The message of an error, or a text that was thrown. Undefined if there is none, or if asking for it throws. */
function messageOf(thrown: unknown): string | undefined {
  try {
    const message: unknown = thrown instanceof Error ? thrown.message : thrown;
    if (typeof message !== "string" || message === "") return undefined;
    return message.length <= messageMaxLength ? message : `${message.slice(0, messageMaxLength - 1)}…`;
  } catch {
    return undefined;
  }
}

/** A handler may throw a promise, and one that fails with nobody listening would end the process. */
function silence(thrown: unknown): void {
  try {
    if (thrown instanceof Promise) thrown.catch(() => {});
  } catch {
    // A proxy may throw whatever is asked of it.
  }
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}

/** Decodes only the one way in which a path is written, so that rules of a proxy for a path hold for every call of the method. */
function decodePath(path: string): string {
  try {
    const decoded = decodeURI(path);
    return encodeURI(decoded) === path ? decoded : path;
  } catch {
    return path;
  }
}

/** An error, whatever its library of types knows of causes. */
interface Caused {
  readonly cause?: unknown;
}

/**
 * `k3x9q2vd-1`, `k3x9q2vd-2`, …: tells calls apart across processes and restarts without asking for randomness each time. It is asked
 * for at the first call, because Workers forbid it before.
 */
function countedIds(): () => string {
  let prefix: string | undefined;
  let count = 0;
  return () => {
    prefix ??= randomPrefix();
    return `${prefix}-${++count}`;
  };
}

function randomPrefix(): string {
  const parts = crypto.getRandomValues(new Uint32Array(2));
  return Array.from(parts, (part) => part.toString(36).padStart(7, "0").slice(-4)).join("");
}

/** Generated definitions hold every built-in error; one made by hand may not. */
function unnamed(code: number): ErrorInfo {
  return { name: "WebrpcInternalError", code, message: "internal error", status: 500 };
}

/* What a handler and what a hook are given of a call: just what each may use. */

/** What a handler is given. */
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
}

/** What a hook is given. */
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

/* What the log and a recorder are told of a call that has ended. */

/** A call, once there is an answer. */
export interface EndedCall<Carrier> {
  readonly requestId: string;
  readonly method: Method | undefined;
  readonly path: string;
  readonly carrier: Carrier;
  readonly startedAt: number;
  /** For a recorder. */
  readonly requestText: string | undefined;
}

/** How an answer left. */
export interface Departure {
  /** False: the caller was gone. */
  readonly isWritable: boolean;
  /** Of a stream, as many as are recorded. */
  readonly items?: readonly string[];
}

export function reportCall<Carrier>(
  core: Core<Carrier>,
  call: EndedCall<Carrier>,
  reply: Reply,
  { isWritable, items }: Departure,
): void {
  if (core.isLogging) log(core, call, reply, isWritable);
  // What nobody was there to get is no answer; of a stream they had their part.
  if (core.isRecording && (isWritable || items !== undefined)) record(core, call, reply, items);
}

function log<Carrier>(
  core: Core<Carrier>,
  call: EndedCall<Carrier>,
  reply: Reply,
  isWritable: boolean,
): void {
  const { status, error, cause } = isWritable
    ? reply
    : core.builtin(builtinCode.clientGone, { cause: reply.cause });
  core.log({
    requestId: call.requestId,
    method: call.method?.info,
    path: call.path,
    carrier: call.carrier,
    status,
    error,
    cause,
    durationMs: performance.now() - call.startedAt,
  });
}

function record<Carrier>(
  core: Core<Carrier>,
  { method, requestText, startedAt }: EndedCall<Carrier>,
  { status, error, body, file }: Reply,
  items: readonly string[] | undefined,
): void {
  if (method === undefined) return;
  core.record({
    method: method.info,
    status,
    error,
    request: requestText,
    answer: body,
    items,
    isFile: file !== undefined,
    durationMs: performance.now() - startedAt,
  });
}

/** Items that are kept for a recorder, and their characters: what comes first tells what the others are like. */
const sampleMax = { items: 20, characters: 100_000 };

/** Keeps an item for a recorder if there is room. */
export function sample(items: string[], item: string): void {
  const characters = items.reduce((sum, { length }) => sum + length, item.length);
  if (items.length < sampleMax.items && characters <= sampleMax.characters) items.push(item);
}

/* The time that a handler has. */

/** Takes the answer to a call. */
export type Send = (reply: Reply) => void;

/** Sends what comes in time. Past the deadline it sends the answer of `expire` instead, and drops what comes then. */
export function sendBefore(ms: number, send: Send, expire: () => Reply): Send {
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    send(expire());
  }, ms);
  return (reply) => {
    clearTimeout(timer);
    if (!isOver) {
      send(reply);
      return;
    }
    reply.stream?.leave();
    reply.file?.leave();
  };
}

/** Headers: what those of a request say about its body, and which of a failure may be sent. */

interface Headers {
  header(name: string): string | undefined;
}

/** Why a body of these headers is not read; undefined if it is. */
export function faultOfHeaders(headers: Headers, isForm: boolean): string | undefined {
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

/** `Application/JSON; charset=UTF-8` is as good as `application/json`; JSON of another charset is not JSON. */
function faultOfType(type: string | undefined): string | undefined {
  const [essence = "", ...parameters] = (type ?? "").split(";").map((part) => part.trim().toLowerCase());
  if (essence !== "application/json") return "Content-Type must be application/json";
  const charset = parameters.find((parameter) => parameter.startsWith("charset="))?.slice("charset=".length);
  if (charset === undefined || /^"?(utf-?8|us-ascii)"?$/.test(charset)) return undefined;
  return "the charset must be UTF-8";
}

/** What no adapter could send is left out: a line break in a value would begin a header, or a body, of its own. */
export function soundHeaders(
  headers: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const sound = Object.entries(headers).filter(
    ([name, value]) => /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value),
  );
  return Object.fromEntries(sound);
}

/* Replies that last longer than the head of their answer: a stream's and a file's. Each says once how it ended. */

export interface Lasting<Carrier> {
  readonly core: Core<Carrier>;
  readonly caller: Pick<Caller<Carrier>, "requestId" | "transport">;
  readonly method: Method;
  /** Called once at the end. */
  onEnd(reply: Reply, departure: Departure): void;
}

/** The reply of a handler that answered an async iterable. */
export function streamOf<Carrier>(
  items: unknown,
  { core, caller, method, onEnd }: Lasting<Carrier>,
  abort: (reason: DOMException) => void,
): Reply {
  if (!isAsyncIterable(items)) return core.badResponse("the reply of a stream is no async iterable");
  if (core.isDraining) return core.streamLost("the server is stopping");
  const recorded: string[] = [];
  const stream: OutgoingStream = new OutgoingStream(items, {
    limits: core.streamLimits,
    encode: (item) => {
      const reply = core.encode(item, method);
      if (core.isRecording && reply.error === undefined) sample(recorded, reply.body);
      return reply;
    },
    fail: (thrown) => core.failOf(method, thrown),
    lost: (cause) => core.streamLost(cause),
    abort,
    onEnd: (failure, isWritable) => {
      core.streams.delete(stream);
      onEnd({ ...(failure ?? reply), status: reply.status }, { isWritable, items: recorded });
    },
  });
  const reply = streamReply(stream, caller.requestId);
  core.streams.add(stream);
  caller.transport.whenGone(() => stream.leave());
  return reply;
}

/** The reply of a handler that answered a file. */
export function fileOf<Carrier>(answer: unknown, { core, caller, method, onEnd }: Lasting<Carrier>): Reply {
  if (!isFileReply(answer)) return core.badResponse("the reply is no file");
  const file = new OutgoingFile(answer, (failure, isWritable) => {
    const ended = failure === undefined ? reply : core.failOf(method, failure);
    onEnd({ ...ended, status: reply.status }, { isWritable });
  });
  const reply = fileReply(file, caller.requestId);
  return reply;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

/* The body of a request on its way to a value. */

/** A body that a parser before us has read from the request already. */
export interface ParsedBody {
  readonly value: unknown;
}

/** What reading a body gives: its text or what a parser before us made of it, or why there is none. */
export type ReadBody = string | ParsedBody | BodyFault | RpcFailure;

/** What bodies are held to. */
interface BodyRules {
  readonly limits: Limits;
  readonly api: ApiDefinition;
}

/** What a handler gets; a `BodyFault` if it cannot be that. */
export function readRequest(
  body: string | ParsedBody | BodyFault,
  { definition, validators }: Method,
  upload: Upload | undefined,
  rules: BodyRules,
): unknown {
  if (body instanceof BodyFault) return body;
  const mayBeMissing = definition.emptyRequest === true || upload !== undefined;
  const parsed = parseBody(body, mayBeMissing, rules);
  if (parsed instanceof BodyFault) return parsed;
  const request = parsed ?? {};
  if (typeof request !== "object" || Array.isArray(request)) {
    // Go's servers never look at it.
    if (definition.emptyRequest === true) return {};
    return BodyFault.of(issuesOfAll([issue([], "an object", kindOf(request))]));
  }
  const issues = validators.readRequest?.(request);
  if (issues !== undefined) return BodyFault.of(issues);
  if (upload !== undefined) addFiles(request, upload, definition.files ?? []);
  return request;
}

function parseBody(
  body: string | ParsedBody,
  mayBeMissing: boolean,
  { limits: { jsonMaxDepth }, api }: BodyRules,
): unknown {
  if (typeof body !== "string") return checkParsed(body.value, jsonMaxDepth) ?? body.value;
  return body === "" && mayBeMissing ? {} : parseJson(body, jsonMaxDepth, api.json?.parse);
}

/** As it arrived, or as good as that. */
export function textOf(body: string | ParsedBody): string {
  return typeof body === "string" ? body : (JSON.stringify(body.value) ?? "");
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}

/** Whether the two sides of a call were made from the same version of a schema, told from their headers `Webrpc`. */

/**
 * `"webrpc@v0.44.0;ridlkit@0.1.0;shop@v1"`, `"…;shop@v2"` → a sentence for the caller. Undefined where they are the same, or the caller
 * says nothing of this schema.
 */
export function stalenessOf(caller: string | undefined, server: string): string | undefined {
  const [name = "", here = ""] = schemaOf(server);
  const [theirs, there = ""] = schemaOf(caller ?? "");
  if (theirs !== name || there === here) return undefined;
  return `the caller was made from ${name} ${there.slice(0, 40)} and this server from ${here}: generate the client anew`;
}

/** The last part is the schema. */
function schemaOf(header: string): readonly string[] {
  return header.split(";").at(-1)?.trim().split("@") ?? [];
}

/*
 * One call, from its address to its answer. The adapter asks three times: `admit` before it reads the body, `answer` with what
 * it read, `finish` when the answer is about to leave. A refusal is an answer like any other.
 */

export class Exchange<Carrier> implements Caller<Carrier> {
  readonly transport: Transport<Carrier>;
  /** Undefined if the path names none. */
  readonly method: Method | undefined;
  readonly #core: Core<Carrier>;
  readonly #path: string;
  readonly #startedAt: number;
  #host: unknown;
  #requestId: string | undefined;
  #controller: AbortController | undefined;
  #upload: Upload | undefined;
  /** For a recorder. */
  #requestText: string | undefined;

  constructor(core: Core<Carrier>, path: string, method: Method | undefined, transport: Transport<Carrier>) {
    this.#core = core;
    this.#path = path;
    this.method = method;
    this.transport = transport;
    this.#startedAt = core.isLogging || core.isRecording ? performance.now() : 0;
  }

  get requestId(): string {
    this.#requestId ??= this.#core.requestId(this.transport.carrier);
    return this.#requestId;
  }

  /** Made when it is first asked for: most handlers answer before anybody could go away. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController();
      this.#controller = controller;
      this.transport.whenGone(() => controller.abort(new DOMException("the caller went away", "AbortError")));
    }
    return this.#controller.signal;
  }

  /** Whether the body is a form, to be given to `receive`. */
  get takesFiles(): boolean {
    return this.method?.definition.files !== undefined;
  }

  /** All that can be refused before the body is read. Undefined: go on and read it. */
  admit(httpMethod: string | undefined): Reply | undefined | Promise<Reply | undefined> {
    const { method } = this;
    if (method === undefined) return this.#badRoute();
    if (httpMethod !== "POST") return this.#core.badMethod();
    const { hasHooks } = this.#core;
    if (!hasHooks && method.validators.isLoaded) return this.#checkHeaders();
    return this.#prepare(method, hasHooks);
  }

  watchBody(refuse: (refusal: BodyRefusal) => void): BodyWatcher | undefined {
    return this.#core.watchBody?.({
      carrier: this.transport.carrier,
      hasFiles: this.takesFiles,
      refuse: (refusal) => refuse(asRefusal(refusal)),
    });
  }

  /** Calls `send` once, at once if the handler answers at once. Never throws. */
  answer(body: ReadBody, send: Send): void {
    const reply = body instanceof RpcFailure ? this.#core.fail(body) : this.#start(body, send);
    if (reply !== undefined) send(reply);
  }

  /** The same with the body of a method that takes files, as it arrives. */
  async receive(body: AsyncIterable<Uint8Array>, send: Send): Promise<void> {
    const { api, limits, uploadOptions } = this.#core;
    const fields = this.method?.definition.files ?? [];
    const contentType = this.transport.header("content-type") ?? "";
    const { bodyMaxBytes } = limits;
    const chunks = new WatchedChunks(body, this);
    try {
      const received = await api.receiveUpload?.(chunks, {
        ...uploadOptions,
        contentType,
        fields,
        bodyMaxBytes,
      });
      if (received === undefined) throw new Error("the API has no receiver of files");
      if (chunks.refusal !== undefined && !(received instanceof BodyFault)) received.discard();
      const refusal = chunks.refusal ?? received;
      if (refusal instanceof BodyFault || refusal instanceof RpcFailure) {
        this.answer(refusal, send);
        return;
      }
      this.#upload = refusal;
    } catch (thrown) {
      send(this.#core.fail(thrown));
      return;
    }
    const reply = this.#start(this.#upload.json, send);
    if (reply === undefined) return;
    this.#release(reply);
    send(reply);
  }

  /** Logs the call and completes its headers. Undefined: nobody is left to answer. */
  finish(reply: Reply, isWritable: boolean): Reply | undefined {
    // A stream and a file are logged when they end.
    const lasts = reply.stream !== undefined || reply.file !== undefined;
    if (!lasts) this.#report(reply, { isWritable });
    if (!isWritable) {
      reply.stream?.leave();
      reply.file?.leave();
      return undefined;
    }
    if (reply.error === undefined) return reply;
    return { ...reply, headers: { ...soundHeaders(reply.headers), "X-Request-Id": this.requestId } };
  }

  #report(reply: Reply, departure: Departure): void {
    if (!this.#core.isLogging && !this.#core.isRecording) return;
    const call = {
      requestId: this.requestId,
      method: this.method,
      path: this.#path,
      carrier: this.transport.carrier,
      startedAt: this.#startedAt,
      requestText: this.#requestText,
    };
    reportCall(this.#core, call, reply, departure);
  }

  #checkHeaders(): Reply | undefined {
    const fault = faultOfHeaders(this.transport, this.takesFiles);
    return fault === undefined ? undefined : this.#badRequest(fault);
  }

  #badRoute(): Reply {
    const { transport } = this;
    return this.#core.badRoute(this.#path, transport.carrier, this.#staleness());
  }

  #badRequest(reason: string, issues?: Issues): Reply {
    const stale = this.#staleness();
    return this.#core.badRequest(stale === undefined ? reason : `${reason}; ${stale}`, issues);
  }

  /** A caller that was made from another version of the schema may be wrong just by that. */
  #staleness(): string | undefined {
    return stalenessOf(this.transport.header("webrpc"), this.#core.api.webrpc);
  }

  /** The validators of a service are loaded by the first call that nobody refuses. */
  async #prepare(method: Method, hasHooks: boolean): Promise<Reply | undefined> {
    const refusal = (hasHooks ? await this.#runHooks(method) : undefined) ?? this.#checkHeaders();
    if (refusal !== undefined || method.validators.isLoaded) return refusal;
    try {
      await method.validators.load();
      return undefined;
    } catch (bug) {
      return this.#core.builtin(builtinCode.serverPanic, { cause: bug });
    }
  }

  async #runHooks(method: Method): Promise<Reply | undefined> {
    const call = new HookCall(this, method.info, this.#core.schemaErrors);
    try {
      for (const guard of this.#core.guards) {
        const refusal = await guard(call);
        if (refusal !== undefined) return this.#core.fail(refusal);
      }
      this.#host = await this.#core.makeContext?.(call);
    } catch (thrown) {
      return this.#core.fail(thrown);
    }
    return RpcFailure.read(this.#host) === undefined ? undefined : this.#core.fail(this.#host);
  }

  /** The files of a call are its handler's until that has ended, and its answer too if that is a stream or a file. */
  #release(reply: Reply): void {
    if (reply.file === undefined && reply.stream === undefined) this.#upload?.discard();
  }

  /** Undefined: the handler takes its time and `send` is called later. */
  #start(body: Exclude<ReadBody, RpcFailure>, send: Send): Reply | undefined {
    try {
      if (this.#core.isRecording && !(body instanceof BodyFault)) this.#requestText = textOf(body);
      const { method } = this;
      if (method === undefined) return this.#badRoute();
      const request = readRequest(body, method, this.#upload, this.#core);
      if (request instanceof BodyFault) return this.#badRequest(request.reason, request.issues);
      return this.#refuseRequest(request, method) ?? this.#handle(request, method, send);
    } catch (bug) {
      return this.#core.builtin(builtinCode.serverPanic, { cause: bug });
    }
  }

  #refuseRequest(request: unknown, method: Method): Reply | undefined {
    const check = this.#core.checkRequest;
    if (check === undefined) return undefined;
    try {
      const refusal = check(new HookCall(this, method.info, this.#core.schemaErrors), request, this.#host);
      return refusal === undefined ? undefined : this.#core.fail(refusal);
    } catch (thrown) {
      return this.#core.fail(thrown);
    }
  }

  #handle(request: unknown, method: Method, send: Send): Reply | undefined {
    const ctx = new MethodCall<Carrier>(this, method, this.#host);
    let result: unknown;
    try {
      result = method.handle(ctx, request);
      if (!isThenable(result)) return this.#reply(result, method);
    } catch (thrown) {
      return this.#core.failOf(method, thrown);
    }
    const { deadline } = this.#core;
    const sendInTime =
      deadline === undefined ? send : sendBefore(deadline.ms, send, () => this.#pastDeadline());
    const end = (reply: Reply): void => {
      this.#release(reply);
      sendInTime(reply);
    };
    result.then(
      (value) => end(this.#reply(value, method)),
      (thrown) => end(this.#core.failOf(method, thrown)),
    );
    return undefined;
  }

  #reply(result: unknown, method: Method): Reply {
    try {
      if (result instanceof Error) return this.#core.failOf(method, result);
      if (method.definition.fileResponse === true) return fileOf(result, this.#lasting(method));
      if (!method.isStream) return this.#core.encode(result, method);
      return streamOf(result, this.#lasting(method), (reason) => this.#abort(reason));
    } catch (thrown) {
      return this.#core.failOf(method, thrown);
    }
  }

  #lasting(method: Method): Lasting<Carrier> {
    return {
      core: this.#core,
      caller: this,
      method,
      onEnd: (reply, departure) => {
        this.#upload?.discard();
        this.#report(reply, departure);
      },
    };
  }

  #abort(reason: DOMException): void {
    this.#controller ??= new AbortController();
    this.#controller.abort(reason);
  }

  /** The handler learns of it by its signal. */
  #pastDeadline(): Reply {
    this.#abort(new DOMException("the deadline passed", "TimeoutError"));
    return this.#core.pastDeadline();
  }
}

function isThenable(value: unknown): value is Promise<unknown> {
  if (value instanceof Promise) return true;
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/*
 * An API with its handlers, ready to be mounted by an adapter: `koaMiddleware`, `nodeListener` or `fetchHandler`. Knows no
 * framework and no socket.
 */

/** `Carrier` is what the hooks want of an adapter; a server whose hooks want nothing fits every adapter. */
export interface RpcServer<in Carrier = unknown> {
  readonly basepath: string;
  /** Value of the header `Webrpc`, which every answer has. */
  readonly webrpc: string;
  readonly limits: Limits;
  /** The method at a path. */
  methodAt(path: string): MethodInfo | undefined;
  /** Starts a call; undefined if the path lies outside of the basepath and is somebody else's. */
  open(path: string, transport: Transport<Carrier>): AnyExchange | undefined;
  /** The same, for an adapter that has nobody else to ask. */
  openAny(path: string, transport: Transport<Carrier>): AnyExchange;
  /**
   * Tells the callers of all open streams that they are lost, so that they ask another host, and refuses new ones. Settles when the
   * handlers have ended; other calls go on. For a host that stops.
   */
  drain(): Promise<void>;
  /** The answer to a request that never became one: it is no HTTP, or its host refuses it for the reason given. */
  refuseUnparsable(reason?: string): Reply;
}

/** What an adapter uses of an Exchange. */
export type AnyExchange = Pick<
  Exchange<never>,
  "admit" | "answer" | "finish" | "receive" | "takesFiles" | "watchBody"
>;

/** The options of a server; they cannot be left out where handlers want a context of the host. */
export type ServerArguments<Host, ErrorName extends string, Carrier> = undefined extends Host
  ? [options?: ServerOptions<Host, ErrorName, Carrier>]
  : [options: ServerOptions<Host, ErrorName, Carrier> & Contextual<Host, ErrorName, Carrier>];

type Contextual<Host, ErrorName extends string, Carrier> = Required<
  Pick<ServerOptions<Host, ErrorName, Carrier>, "context">
>;

/** Binds handlers to an API. The generated `createServer` calls it, with types that know the API. */
export function createRpcServer<Host, ErrorName extends string, Carrier>(
  api: ApiDefinition,
  handlers: object,
  [options]: readonly [options?: ServerOptions<Host, ErrorName, Carrier>],
): RpcServer<Carrier> {
  // Makers of the schema's errors are looked up by name: hooks see the names that they were typed with.
  return new Server(api, handlers, (options ?? {}) as unknown as ServerOptions<unknown, string, Carrier>);
}

class Server<Carrier> implements RpcServer<Carrier> {
  readonly basepath: string;
  readonly webrpc: string;
  readonly limits: Limits;
  readonly #core: Core<Carrier>;

  constructor(api: ApiDefinition, handlers: object, options: ServerOptions<unknown, string, Carrier>) {
    this.#core = new Core(api, handlers, options);
    this.basepath = api.basepath;
    this.webrpc = api.webrpc;
    this.limits = this.#core.limits;
  }

  methodAt(path: string): MethodInfo | undefined {
    return this.#core.findMethod(path)?.info;
  }

  open(path: string, transport: Transport<Carrier>): AnyExchange | undefined {
    const method = this.#core.findMethod(path);
    if (method === undefined && !path.startsWith(this.basepath)) return undefined;
    return new Exchange(this.#core, path, method, transport);
  }

  openAny(path: string, transport: Transport<Carrier>): AnyExchange {
    return new Exchange(this.#core, path, this.#core.findMethod(path), transport);
  }

  drain(): Promise<void> {
    return this.#core.drain();
  }

  refuseUnparsable(reason = "not HTTP"): Reply {
    return this.#core.badRequest(reason);
  }
}
