/**
 * One call, from its address to its answer. The adapter asks three times: `admit` before it reads the body, `answer` with what
 * it read, `finish` when the answer is about to leave. A refusal is an answer like any other.
 */
import type { Core } from "./core.ts";
import type { Method } from "./definition.ts";
import { builtinCode, fileReply, type Reply, streamReply } from "./errors-wire.ts";
import { type ErrorMakers, RpcFailure } from "./failure.ts";
import type { HandlerContext, MethodInfo } from "./handler.ts";
import { faultOfHeaders, soundHeaders } from "./headers.ts";
import type { Call } from "./hooks.ts";
import { describeIssues } from "./issue.ts";
import { BodyFault } from "./json.ts";
import { isFileReply, OutgoingFile } from "./outgoing-file.ts";
import { OutgoingStream } from "./outgoing-stream.ts";
import { kindOf, type ParsedBody, parseBody, textOf } from "./request-body.ts";
import { stalenessOf } from "./staleness.ts";
import { addFiles, type Upload } from "./upload.ts";

/** How the core reaches the caller; an adapter makes one a request. */
export interface Transport<Carrier> {
  readonly carrier: Carrier;
  /** By its name in lower case. */
  header(name: string): string | undefined;
  /** Calls back once if the caller goes away before it has the answer; at once if it is gone already. */
  whenGone(callback: () => void): void;
}

/** Takes the answer to a call. */
export type Send = (reply: Reply) => void;

export class Exchange<Carrier> {
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

  /**
   * Takes the text of the body, what a parser before us made of it, or why there is none. Calls `send` once, at once if the
   * handler answers at once. Never throws.
   */
  answer(body: string | ParsedBody | BodyFault, send: Send): void {
    const reply = this.#start(body, send);
    if (reply !== undefined) send(reply);
  }

  /** The same with the body of a method that takes files, as it arrives. */
  async receive(body: AsyncIterable<Uint8Array>, send: Send): Promise<void> {
    const { api, limits, uploadOptions } = this.#core;
    const fields = this.method?.definition.files ?? [];
    const contentType = this.transport.header("content-type") ?? "";
    const { bodyMaxBytes } = limits;
    try {
      const received = await api.receiveUpload?.(body, {
        ...uploadOptions,
        contentType,
        fields,
        bodyMaxBytes,
      });
      if (received === undefined) throw new Error("the API has no receiver of files");
      if (received instanceof BodyFault) {
        send(this.#badRequest(received.reason));
        return;
      }
      this.#upload = received;
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
    if (!lasts) this.#tell(reply, isWritable);
    if (!isWritable) {
      reply.stream?.leave();
      reply.file?.leave();
      return undefined;
    }
    if (reply.error === undefined) return reply;
    return { ...reply, headers: { ...soundHeaders(reply.headers), "X-Request-Id": this.requestId } };
  }

  #tell(reply: Reply, isWritable: boolean, items?: readonly string[]): void {
    if (this.#core.isLogging) this.#log(reply, isWritable);
    // What nobody was there to get is no answer; of a stream they had their part.
    if (this.#core.isRecording && (isWritable || items !== undefined)) this.#record(reply, items);
  }

  #record({ status, error, body, file }: Reply, items: readonly string[] | undefined): void {
    if (this.method === undefined) return;
    this.#core.record({
      method: this.method.info,
      status,
      error,
      request: this.#requestText,
      answer: body,
      items,
      isFile: file !== undefined,
      durationMs: performance.now() - this.#startedAt,
    });
  }

  #log(reply: Reply, isWritable: boolean): void {
    const { status, error, cause } = isWritable
      ? reply
      : this.#core.builtin(builtinCode.clientGone, { cause: reply.cause });
    this.#core.log({
      requestId: this.requestId,
      method: this.method?.info,
      path: this.#path,
      carrier: this.transport.carrier,
      status,
      error,
      cause,
      durationMs: performance.now() - this.#startedAt,
    });
  }

  #checkHeaders(): Reply | undefined {
    const fault = faultOfHeaders(this.transport, this.takesFiles);
    return fault === undefined ? undefined : this.#badRequest(fault);
  }

  #badRoute(): Reply {
    const { transport } = this;
    return this.#core.badRoute(this.#path, transport.carrier, this.#staleness());
  }

  #badRequest(reason: string): Reply {
    const stale = this.#staleness();
    return this.#core.badRequest(stale === undefined ? reason : `${reason}; ${stale}`);
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

  #readRequest(body: string | ParsedBody | BodyFault, { definition, validators }: Method): unknown {
    if (body instanceof BodyFault) return body;
    const mayBeMissing = definition.emptyRequest === true || this.#upload !== undefined;
    const parsed = parseBody(body, mayBeMissing, this.#core);
    if (parsed instanceof BodyFault) return parsed;
    const request = parsed ?? {};
    if (typeof request !== "object" || Array.isArray(request)) {
      // Go's servers never look at it.
      if (definition.emptyRequest === true) return {};
      return new BodyFault(describeIssues([{ path: "", expected: "an object", found: kindOf(request) }]));
    }
    const issues = validators.readRequest?.(request);
    if (issues !== undefined && issues.length > 0) return new BodyFault(describeIssues(issues));
    if (this.#upload !== undefined) addFiles(request, this.#upload, definition.files ?? []);
    return request;
  }

  /** The files of a call are its handler's until that has ended, and its answer too if that is a file. */
  #release(reply: Reply): void {
    if (reply.file === undefined) this.#upload?.discard();
  }

  /** Undefined: the handler takes its time and `send` is called later. */
  #start(body: string | ParsedBody | BodyFault, send: Send): Reply | undefined {
    try {
      if (this.#core.isRecording && !(body instanceof BodyFault)) this.#requestText = textOf(body);
      const { method } = this;
      if (method === undefined) return this.#badRoute();
      const request = this.#readRequest(body, method);
      if (request instanceof BodyFault) return this.#badRequest(request.reason);
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
      return this.#core.fail(thrown, method.allowed);
    }
    const { deadline } = this.#core;
    const sendInTime = deadline === undefined ? send : this.#sendBefore(deadline.ms, send);
    const end = (reply: Reply): void => {
      this.#release(reply);
      sendInTime(reply);
    };
    result.then(
      (value) => end(this.#reply(value, method)),
      (thrown) => end(this.#core.fail(thrown, method.allowed)),
    );
    return undefined;
  }

  #reply(result: unknown, method: Method): Reply {
    try {
      if (result instanceof Error) return this.#core.fail(result, method.allowed);
      if (method.definition.fileResponse === true) return this.#file(result, method);
      return method.isStream ? this.#stream(result, method) : this.#core.encode(result, method);
    } catch (thrown) {
      return this.#core.fail(thrown, method.allowed);
    }
  }

  #stream(items: unknown, method: Method): Reply {
    const core = this.#core;
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
      fail: (thrown) => core.fail(thrown, method.allowed),
      lost: (cause) => core.streamLost(cause),
      abort: (reason) => this.#abort(reason),
      onEnd: (failure, isWritable) => {
        core.streams.delete(stream);
        this.#tell({ ...(failure ?? reply), status: reply.status }, isWritable, recorded);
      },
    });
    const reply = streamReply(stream, this.requestId);
    core.streams.add(stream);
    this.transport.whenGone(() => stream.leave());
    return reply;
  }

  #file(result: unknown, method: Method): Reply {
    const core = this.#core;
    if (!isFileReply(result)) return core.badResponse("the reply is no file");
    const file = new OutgoingFile(result, (failure, isWhole) => {
      this.#upload?.discard();
      if (!core.isLogging && !core.isRecording) return;
      const ended = failure === undefined ? reply : core.fail(failure, method.allowed);
      this.#tell({ ...ended, status: reply.status }, isWhole);
    });
    const reply = fileReply(file, this.requestId);
    return reply;
  }

  #abort(reason: DOMException): void {
    this.#controller ??= new AbortController();
    this.#controller.abort(reason);
  }

  /** Past the deadline the handler learns of it by its signal; what it answers then is dropped. */
  #sendBefore(ms: number, send: Send): Send {
    let isOver = false;
    const timer = setTimeout(() => {
      isOver = true;
      this.#abort(new DOMException("the deadline passed", "TimeoutError"));
      send(this.#core.pastDeadline());
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
}

/** Items that are kept for a recorder, and their characters: what comes first tells what the others are like. */
const sampleMax = { items: 20, characters: 100_000 };

function sample(items: string[], item: string): void {
  const characters = items.reduce((sum, { length }) => sum + length, item.length);
  if (items.length < sampleMax.items && characters <= sampleMax.characters) items.push(item);
}

function isThenable(value: unknown): value is Promise<unknown> {
  if (value instanceof Promise) return true;
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

/** What a handler is given: just what it may use. */
class MethodCall<Carrier> implements HandlerContext<unknown> {
  readonly host: unknown;
  readonly #exchange: Exchange<Carrier>;
  readonly #method: Method;

  constructor(exchange: Exchange<Carrier>, method: Method, host: unknown) {
    this.host = host;
    this.#exchange = exchange;
    this.#method = method;
  }

  get method(): MethodInfo {
    return this.#method.info;
  }

  get errors(): ErrorMakers<string> {
    return this.#method.errors;
  }

  get requestId(): string {
    return this.#exchange.requestId;
  }

  get signal(): AbortSignal {
    return this.#exchange.signal;
  }
}

/** What a hook is given. */
class HookCall<Carrier> implements Call<string, Carrier> {
  readonly method: MethodInfo;
  readonly errors: ErrorMakers<string>;
  readonly #exchange: Exchange<Carrier>;

  constructor(exchange: Exchange<Carrier>, method: MethodInfo, errors: ErrorMakers<string>) {
    this.#exchange = exchange;
    this.method = method;
    this.errors = errors;
  }

  get requestId(): string {
    return this.#exchange.requestId;
  }

  get signal(): AbortSignal {
    return this.#exchange.signal;
  }

  get carrier(): Carrier {
    return this.#exchange.transport.carrier;
  }

  header(name: string): string | undefined {
    return this.#exchange.transport.header(name);
  }
}
