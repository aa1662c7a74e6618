import { type Caller, HookCall, MethodCall, type Transport } from "./call.ts";
import { type Core, largeMinLength } from "./core.ts";
import type { Method } from "./definition.ts";
import {
  checkHeader,
  faultOfHeaders,
  type HandlerContext,
  type HeaderValue,
  type ResponseHeaders,
  RpcFailure,
  validHeaders,
  withMoreHeaders,
} from "./handler.ts";
import { schemaIn } from "./headers.ts";
import { BodyFault } from "./json.ts";
import { onceForKey } from "./keyed-calls.ts";
import { asRefusal, type BodyRefusal, type BodyWatcher, type Upload } from "./options.ts";
import { type Delivery, type OutgoingCall, protocolErrorCode, type Reply, withStatus } from "./reply.ts";
import { type ReadBody, readRequest, requestText } from "./request-body.ts";
import { callAfter } from "./time.ts";

/** Sends the response to a call. */
export type Send = (reply: Reply) => void;

/**
 * One call on the server, from request to response. The adapter calls `admit` before it reads the body, `answer` with the
 * body, and `finish` before it sends the response. Rejections are ordinary responses.
 */
export class Exchange<Carrier> implements Caller<Carrier> {
  readonly transport: Transport<Carrier>;
  /** Undefined if no method has this path. */
  readonly method: Method | undefined;
  readonly #core: Core<Carrier>;
  readonly #path: string;
  readonly #startedAt: number;
  #context: unknown;
  #requestId: string | undefined;
  #controller: AbortController | undefined;
  #upload: Upload | undefined;
  /** The request body, kept for a recorder. */
  #requestText: string | undefined;
  /** Headers of the method, and those that the handler set. */
  #headers: ResponseHeaders | undefined;
  #isAdmitted = false;
  #isFinished = false;

  constructor(core: Core<Carrier>, path: string, method: Method | undefined, transport: Transport<Carrier>) {
    this.#core = core;
    this.#path = path;
    this.method = method;
    this.transport = transport;
    this.#headers = method?.definition.headers;
    if (method !== undefined) this.method = onceForKey(core, method, transport);
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
    checkHeader(name, value);
    this.#headers = withMoreHeaders({ [name]: value }, this.#headers ?? {});
  }

  /** Whether the body is a form, which must be passed to `receive`. */
  get takesFiles(): boolean {
    return this.method?.definition.files !== undefined;
  }

  /** Checks everything that does not need the body. Returns undefined if the body should be read. */
  admit(httpMethod: string | undefined): Reply | undefined | Promise<Reply | undefined> {
    this.#isAdmitted = true;
    this.#core.largeWork.openCalls++;
    const { method } = this;
    if (method === undefined) return this.#badRoute();
    if (httpMethod !== "POST") return this.#core.badMethod();
    if (this.transport.isFull?.(this.#core.isLarge(method))) return this.#core.unread({ hasRun: false });
    return this.#core.hasHooks ? this.#checkWithHooks(method) : this.#checkHeaders();
  }

  watchBody(refuse: (refusal: BodyRefusal) => void): BodyWatcher | undefined {
    return this.#core.watchBody?.({
      carrier: this.transport.carrier,
      hasFiles: this.takesFiles && this.#core.uploads?.isInMemory !== true,
      refuse: (refusal) => refuse(asRefusal(refusal)),
    });
  }

  /** Handles the call with its body. Calls `send` once, synchronously if the handler is synchronous and the body small. Never throws. */
  answer(body: ReadBody, send: Send): void {
    if (typeof body === "string" && body.length >= largeMinLength)
      this.#core.largeWork.run(() => this.#answer(body, send));
    else this.#answer(body, send);
  }

  #answer(body: ReadBody, send: Send): void {
    const reply = body instanceof Error ? this.#core.fail(body) : this.#start(body, send);
    if (reply !== undefined) send(reply);
  }

  /** Handles a call with files, whose body is read as it arrives. Calls `send` once. */
  async receive(body: AsyncIterable<Uint8Array> | BodyFault | Error, send: Send): Promise<void> {
    if (body instanceof Error || body instanceof BodyFault) {
      this.answer(body, send);
      return;
    }
    const { uploads, limits, uploadOptions } = this.#core;
    try {
      if (uploads === undefined || uploadOptions === undefined)
        throw new Error("the API has no upload receiver");
      const received = await uploads.receive(body, {
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
    // A wrapper may answer a call without admitting it.
    if (this.#isAdmitted) this.#core.largeWork.openCalls--;
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
    return fault === undefined ? undefined : this.#badRequest(new BodyFault(fault));
  }

  #badRoute(): Reply {
    const { transport } = this;
    return this.#core.badRoute(this.#path, transport.carrier, this.#versionMismatch());
  }

  #badRequest({ reason, issues, status }: BodyFault): Reply {
    const mismatch = this.#versionMismatch();
    const reply = this.#core.badRequest(mismatch === undefined ? reason : `${reason}; ${mismatch}`, issues);
    return status === undefined ? reply : withStatus(reply, status);
  }

  /** Returns a hint for the caller: different schema versions may be the reason why a request is invalid. */
  #versionMismatch(): string | undefined {
    return describeVersionMismatch(this.transport.header("webrpc"), this.#core.api.webrpc);
  }

  async #checkWithHooks(method: Method): Promise<Reply | undefined> {
    return (await this.#runHooks(method)) ?? this.#checkHeaders();
  }

  async #runHooks(method: Method): Promise<Reply | undefined> {
    const call = new HookCall(this, method.info, this.#core.schemaErrors);
    try {
      for (const guard of this.#core.guards) {
        const refusal = await guard(call);
        if (refusal !== undefined) return this.#core.fail(refusal);
      }
      this.#context = await this.#core.makeContext?.(call);
    } catch (thrown) {
      return this.#core.fail(thrown);
    }
    // Also errors of other generated code, whose calls would otherwise pass.
    return this.#context instanceof Error ? this.#core.fail(this.#context) : undefined;
  }

  /** Deletes the uploaded files, unless the handler's stream or file is still being sent. */
  #discardUpload(reply: Reply): void {
    if (reply.outgoing === undefined) this.#upload?.discard();
  }

  /** Returns undefined if the handler is asynchronous; `send` is then called later. */
  #start(body: Exclude<ReadBody, Error>, send: Send): Reply | undefined {
    try {
      if (this.#core.isRecording && !(body instanceof BodyFault)) this.#requestText = requestText(body);
      const { method } = this;
      if (method === undefined) return this.#badRoute();
      const request = readRequest(body, method, this.#upload, this.#core);
      if (request instanceof BodyFault) return this.#badRequest(request);
      return this.#checkRequest(request, method) ?? this.#handle(request, method, send);
    } catch (bug) {
      return this.#core.protocolError(protocolErrorCode.serverPanic, { cause: bug });
    }
  }

  #checkRequest(request: unknown, method: Method): Reply | undefined {
    const check = this.#core.checkRequest;
    if (check === undefined) return undefined;
    try {
      const refusal = check(new HookCall(this, method.info, this.#core.schemaErrors), request, this.#context);
      return refusal === undefined ? undefined : this.#core.fail(refusal);
    } catch (thrown) {
      return this.#core.fail(thrown);
    }
  }

  #handle(request: unknown, method: Method, send: Send): Reply | undefined {
    const ctx = this.contextOf(new MethodCall<Carrier>(this, method, this.#context));
    let result: unknown;
    try {
      result = method.handle(ctx, request);
      if (!isPromiseLike(result) && !this.#core.isLarge(method)) return this.#reply(result, method);
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
    Promise.resolve(result).then(
      (value) => {
        if (this.#core.isLarge(method)) this.#core.largeWork.run(() => end(this.#reply(value, method)));
        else end(this.#reply(value, method));
      },
      (thrown) => end(this.#core.failMethod(method, thrown)),
    );
    return undefined;
  }

  #reply(result: unknown, method: Method): Reply {
    try {
      if (result instanceof Error) return this.#core.failMethod(method, result);
      const { reply } = method.definition;
      return reply === undefined ? this.#encode(result, method) : reply(result, this.#outgoingCall(method));
    } catch (thrown) {
      return this.#core.failMethod(method, thrown);
    }
  }

  /** The limits may have been exceeded while the handler ran. */
  #encode(value: unknown, method: Method): Reply {
    const core = this.#core;
    return this.transport.isFull?.(core.isLarge(method))
      ? core.unread({ hasRun: true })
      : core.encode(value, method);
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

export function isPromiseLike(value: unknown): value is Promise<unknown> {
  if (value instanceof Promise) return true;
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/**
 * Returns a function that sends the first response within `ms`. After the deadline it sends the response of `expire`
 * and discards later ones.
 */
export function sendBefore(ms: number, send: Send, expire: () => Reply): Send {
  let isOver = false;
  const stop = callAfter(ms || Infinity, undefined, () => {
    isOver = true;
    send(expire());
  });
  return (reply) => {
    stop();
    if (!isOver) {
      send(reply);
      return;
    }
    reply.outgoing?.cancel();
  };
}

/**
 * Returns a sentence for the caller if client and server use different versions, such as `"…;shop@v1"` and
 * `"…;shop@v2"`. Undefined if they are equal, or if the client's header does not name this schema.
 */
function describeVersionMismatch(caller: string | undefined, server: string): string | undefined {
  const own = schemaIn(server);
  const { name, version } = schemaIn(caller ?? "");
  if (name !== own.name || version === own.version) return undefined;
  return `the client was generated from ${name} ${version.slice(0, 40)} and this server from ${own.version}: regenerate the client`;
}

/** A call whose response is known. */
interface FinishedCall<Carrier> {
  readonly requestId: string;
  readonly method: Method | undefined;
  readonly path: string;
  readonly transport: Transport<Carrier>;
  readonly startedAt: number;
  /** The request body, kept for a recorder. */
  readonly requestText: string | undefined;
}

/** Reports a finished call to the log and the recorder, if the server has them. */
function reportCall<Carrier>(
  core: Core<Carrier>,
  call: FinishedCall<Carrier>,
  reply: Reply,
  { isWritable, items, isFile = false }: Delivery,
): void {
  if (core.isLogging) log(core, call, reply, isWritable);
  // A response that was not received is not recorded. Callers of a stream have received some of its items.
  if (core.isRecording && (isWritable || items !== undefined)) record(core, call, reply, items, isFile);
}

function log<Carrier>(
  core: Core<Carrier>,
  call: FinishedCall<Carrier>,
  reply: Reply,
  isWritable: boolean,
): void {
  const { status, error, cause } = isWritable
    ? reply
    : {
        ...core.protocolError(protocolErrorCode.clientGone, { cause: reply.cause }),
        status: clientGoneStatus,
      };
  core.log({
    requestId: call.requestId,
    method: call.method?.info,
    path: call.path,
    carrier: call.transport.carrier,
    client: /^.{1,200}$/.exec(call.transport.header("webrpc") ?? "")?.[0],
    status,
    error,
    cause,
    durationMs: performance.now() - call.startedAt,
  });
}

/** As nginx logs it. Nothing was sent, and nothing is wrong. */
const clientGoneStatus = 499;

function record<Carrier>(
  core: Core<Carrier>,
  { method, requestText, startedAt }: FinishedCall<Carrier>,
  { status, error, body }: Reply,
  items: readonly string[] | undefined,
  isFile: boolean,
): void {
  if (method === undefined) return;
  core.record({
    method: method.info,
    status,
    error,
    request: requestText,
    answer: body,
    items,
    isFile,
    durationMs: performance.now() - startedAt,
  });
}
