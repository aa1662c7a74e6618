/**
 * One call, from request to response. The adapter calls `admit` before it reads the body, `answer` with the body, and
 * `finish` before it sends the response. Rejections are ordinary responses.
 */
import { asRefusal, type BodyRefusal, type BodyWatcher } from "./body-watcher.ts";
import { HookCall, MethodCall } from "./call-context.ts";
import { reportCall } from "./call-report.ts";
import type { Caller, Transport } from "./caller.ts";
import type { Core } from "./core.ts";
import { type Send, sendBefore } from "./deadline.ts";
import type { Method } from "./definition.ts";
import { RpcFailure } from "./failure.ts";
import type { HandlerContext, HeaderValue } from "./handler.ts";
import {
  faultOfHeaders,
  isValidHeader,
  ownHeaders,
  type ResponseHeaders,
  validHeaders,
  withMoreHeaders,
} from "./headers.ts";
import type { Issues } from "./issue.ts";
import { BodyFault } from "./json.ts";
// @if keys
import { onceForKey } from "./keyed-call.ts";
// @end
import type { Delivery, OutgoingCall } from "./outgoing-call.ts";
import { builtinCode, type Reply } from "./reply.ts";
import { type ReadBody, readRequest, requestText } from "./request-body.ts";
import type { Upload } from "./upload.ts";
import { describeVersionMismatch } from "./version-mismatch.ts";

/** One call on the server. */
export class Exchange<Carrier> implements Caller<Carrier> {
  readonly transport: Transport<Carrier>;
  /** Undefined if no method has this path. */
  readonly method: Method | undefined;
  readonly #core: Core<Carrier>;
  readonly #path: string;
  readonly #startedAt: number;
  #host: unknown;
  #requestId: string | undefined;
  #controller: AbortController | undefined;
  #upload: Upload | undefined;
  /** The request body, kept for a recorder. */
  #requestText: string | undefined;
  /** Headers of the method, and those that the handler set. */
  #headers: ResponseHeaders | undefined;
  #isFinished = false;

  constructor(core: Core<Carrier>, path: string, method: Method | undefined, transport: Transport<Carrier>) {
    this.#core = core;
    this.#path = path;
    this.method = method;
    this.transport = transport;
    this.#headers = method?.definition.headers;
    // @if keys
    if (method !== undefined) this.method = onceForKey(core, method, transport);
    // @end
    this.#startedAt = core.isLogging || core.isRecording ? performance.now() : 0;
  }

  get requestId(): string {
    this.#requestId ??= this.#core.requestId(this.transport.carrier);
    return this.#requestId;
  }

  /** Created on first use: most handlers finish before a caller could disconnect. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController();
      this.#controller = controller;
      this.transport.whenGone(() =>
        controller.abort(new DOMException("the caller disconnected", "AbortError")),
      );
    }
    return this.#controller.signal;
  }

  setHeader(name: string, value: HeaderValue): void {
    if (this.#isFinished) throw new Error(`header ${name}: the response has been sent`);
    if (ownHeaders.has(name.toLowerCase())) throw new TypeError(`header ${name}: it is set by the server`);
    if (!isValidHeader(name, value)) throw new TypeError(`header ${name}: invalid name or value`);
    this.#headers = withMoreHeaders({ [name]: value }, this.#headers ?? {});
  }

  /** Whether the body is a form, which must be passed to `receive`. */
  get takesFiles(): boolean {
    return this.method?.definition.files !== undefined;
  }

  /** Checks everything that does not need the body. Returns undefined if the body should be read. */
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
      hasFiles: this.takesFiles && this.#core.api.uploads?.isInMemory !== true,
      refuse: (refusal) => refuse(asRefusal(refusal)),
    });
  }

  /** Handles the call with its body. Calls `send` once, synchronously if the handler is synchronous. Never throws. */
  answer(body: ReadBody, send: Send): void {
    const reply = body instanceof RpcFailure ? this.#core.fail(body) : this.#start(body, send);
    if (reply !== undefined) send(reply);
  }

  /** Handles a call with files, whose body is read as it arrives. Calls `send` once. */
  async receive(body: AsyncIterable<Uint8Array>, send: Send): Promise<void> {
    const { api, limits, uploadOptions } = this.#core;
    try {
      if (api.uploads === undefined) throw new Error("the API has no upload receiver");
      const received = await api.uploads.receive(body, {
        ...api.uploads.defaults,
        ...uploadOptions,
        contentType: this.transport.header("content-type") ?? "",
        fields: this.method?.definition.files ?? [],
        bodyMaxBytes: limits.bodyMaxBytes,
        watchBody: (refuse) => this.watchBody(refuse),
      });
      if (received instanceof BodyFault || received instanceof RpcFailure) {
        this.answer(received, send);
        return;
      }
      this.#upload = received;
    } catch (thrown) {
      send(this.#core.fail(thrown));
      return;
    }
    const reply = this.#start(this.#upload.json, send);
    if (reply === undefined) return;
    this.#discardUpload(reply);
    send(reply);
  }

  /** Logs the call and completes its headers. Returns undefined if the caller has disconnected. */
  finish(reply: Reply, isWritable: boolean): Reply | undefined {
    this.#isFinished = true;
    // Streams and files are logged when they end.
    if (reply.outgoing === undefined) this.#report(reply, { isWritable });
    if (!isWritable) {
      reply.outgoing?.cancel();
      return undefined;
    }
    const { error } = reply;
    if (error === undefined)
      return this.#headers ? { ...reply, headers: withMoreHeaders(reply.headers, this.#headers) } : reply;
    // What the handler set does not belong to an error that it did not choose.
    const own = error.code > 0 ? this.#headers : this.method?.definition.headers;
    const headers = withMoreHeaders(validHeaders(reply.headers), own ?? {});
    return { ...reply, headers: { ...headers, "X-Request-Id": this.requestId } };
  }

  /** Returns the `ctx` that the handler receives. */
  protected contextOf(ctx: HandlerContext<unknown>): HandlerContext<unknown> {
    return ctx;
  }

  #report(reply: Reply, delivery: Delivery): void {
    if (!this.#core.isLogging && !this.#core.isRecording) return;
    const call = {
      requestId: this.requestId,
      method: this.method,
      path: this.#path,
      transport: this.transport,
      startedAt: this.#startedAt,
      requestText: this.#requestText,
    };
    reportCall(this.#core, call, reply, delivery);
  }

  #checkHeaders(): Reply | undefined {
    const fault = faultOfHeaders(this.transport, this.takesFiles);
    return fault === undefined ? undefined : this.#badRequest(fault);
  }

  #badRoute(): Reply {
    const { transport } = this;
    return this.#core.badRoute(this.#path, transport.carrier, this.#versionMismatch());
  }

  #badRequest(reason: string, issues?: Issues): Reply {
    const mismatch = this.#versionMismatch();
    return this.#core.badRequest(mismatch === undefined ? reason : `${reason}; ${mismatch}`, issues);
  }

  /** Returns a hint for the caller: different schema versions may be the reason why a request is invalid. */
  #versionMismatch(): string | undefined {
    return describeVersionMismatch(this.transport.header("webrpc"), this.#core.api.webrpc);
  }

  /** Runs the hooks and loads the validators of a service before its first call. */
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

  /** Deletes the uploaded files, unless the handler's stream or file is still being sent. */
  #discardUpload(reply: Reply): void {
    if (reply.outgoing === undefined) this.#upload?.discard();
  }

  /** Returns undefined if the handler is asynchronous; `send` is then called later. */
  #start(body: Exclude<ReadBody, RpcFailure>, send: Send): Reply | undefined {
    try {
      if (this.#core.isRecording && !(body instanceof BodyFault)) this.#requestText = requestText(body);
      const { method } = this;
      if (method === undefined) return this.#badRoute();
      const request = readRequest(body, method, this.#upload, this.#core);
      if (request instanceof BodyFault) return this.#badRequest(request.reason, request.issues);
      return this.#checkRequest(request, method) ?? this.#handle(request, method, send);
    } catch (bug) {
      return this.#core.builtin(builtinCode.serverPanic, { cause: bug });
    }
  }

  #checkRequest(request: unknown, method: Method): Reply | undefined {
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
    const ctx = this.contextOf(new MethodCall<Carrier>(this, method, this.#host));
    let result: unknown;
    try {
      result = method.handle(ctx, request);
      if (!isPromiseLike(result)) return this.#reply(result, method);
    } catch (thrown) {
      return this.#core.failMethod(method, thrown);
    }
    const { deadline } = this.#core;
    const sendInTime =
      deadline === undefined ? send : sendBefore(deadline.ms, send, () => this.#deadlineExceeded());
    const end = (reply: Reply): void => {
      this.#discardUpload(reply);
      sendInTime(reply);
    };
    result.then(
      (value) => end(this.#reply(value, method)),
      (thrown) => end(this.#core.failMethod(method, thrown)),
    );
    return undefined;
  }

  #reply(result: unknown, method: Method): Reply {
    try {
      if (result instanceof Error) return this.#core.failMethod(method, result);
      const { reply } = method.definition;
      return reply === undefined
        ? this.#core.encode(result, method)
        : reply(result, this.#outgoingCall(method));
    } catch (thrown) {
      return this.#core.failMethod(method, thrown);
    }
  }

  #outgoingCall(method: Method): OutgoingCall {
    const core = this.#core;
    return {
      requestId: this.requestId,
      streamLimits: core.streamLimits,
      isRecording: core.isRecording,
      isDraining: core.isDraining,
      open: core.openBodies,
      whenGone: (callback) => this.transport.whenGone(callback),
      encode: (value) => core.encode(value, method),
      fail: (thrown) => core.failMethod(method, thrown),
      badResponse: (cause) => core.badResponse(cause),
      lost: (cause) => core.streamLost(cause),
      abort: (reason) => this.#abort(reason),
      onEnd: (reply, delivery) => {
        this.#upload?.discard();
        this.#report(reply, delivery);
      },
    };
  }

  #abort(reason: DOMException): void {
    this.#controller ??= new AbortController();
    this.#controller.abort(reason);
  }

  /** Aborts the handler's signal. */
  #deadlineExceeded(): Reply {
    this.#abort(new DOMException("the deadline passed", "TimeoutError"));
    return this.#core.deadlineExceeded();
  }
}

function isPromiseLike(value: unknown): value is Promise<unknown> {
  if (value instanceof Promise) return true;
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
