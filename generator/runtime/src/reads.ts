import type { Transport } from "./call.ts";
import type { Core } from "./core.ts";
import type { Method, MethodDefinition, ReadDefinition } from "./definition.ts";
import { Exchange, type Send } from "./exchange.ts";
import type {
  Awaitable,
  ErrorMakers,
  HandlerContext,
  MethodInfo,
  NoFailure,
  NotAFailure,
  RpcFailure,
} from "./handler.ts";
import { listsStrongTag, listsTag, tagOfContent, tagOfState } from "./headers.ts";
import {
  type OutgoingBody,
  type OutgoingCall,
  type Reply,
  type StartReply,
  successReply,
  withStatus,
} from "./reply.ts";
import type { ReadBody } from "./request-body.ts";

/* The types of handlers of reads, and of writes that check the state that their caller has seen. */

/**
 * The response to a caller that has the current version. Only `ctx.notModified` creates it.
 */
export class NotModified {
  /** For the compiler only: a response type with only optional fields would otherwise accept it. */
  declare readonly "~raises": NotAFailure;
}

/** The `ctx` of a read. */
export interface ReadContext<Context, ErrorName extends string = string>
  extends HandlerContext<Context, ErrorName> {
  /**
   * Names the version of the response before the handler does its work. Returns the response to a caller that has this
   * version, and undefined if the handler has to do its work:
   *
   *     const same = ctx.notModified(`${order.version}`);
   *     if (same) return same;
   *
   * The version must change with everything on which the response depends, such as the caller, if callers get different
   * responses. Without it, the version is a hash of the response.
   */
  notModified(version: string): NotModified | undefined;
}

/** A method that caches know: `(ctx, req) => response`. */
export type ReadHandler<Context, Request, Reply, ErrorName extends string> = (
  ctx: ReadContext<Context, ErrorName>,
  req: Request,
) => Awaitable<NoFailure<Reply> | NotModified | RpcFailure<ErrorName>>;

/** The `ctx` of a method that lists an error with HTTP status 412. */
export interface WriteContext<Context, ErrorName extends string = string>
  extends HandlerContext<Context, ErrorName> {
  /**
   * Throws the error with HTTP status 412 if the caller sent `If-Match` with other versions than this one, which a read
   * has passed to `ctx.notModified`. Undefined if there is nothing to change. Call it where no other call can change the
   * state before the write, for example within a transaction.
   */
  requireMatch(version: string | undefined): void;
}

/** A method that lists an error with HTTP status 412. */
export type WriteHandler<Context, Request, Reply, ErrorName extends string> = (
  ctx: WriteContext<Context, ErrorName>,
  req: Request,
) => Awaitable<NoFailure<Reply> | RpcFailure<ErrorName>>;

/** A `ctx` that passes everything on to another one. */
export class DelegatedContext implements HandlerContext<unknown> {
  readonly #ctx: HandlerContext<unknown>;

  constructor(ctx: HandlerContext<unknown>) {
    this.#ctx = ctx;
  }

  get context(): unknown {
    return this.#ctx.context;
  }

  get method(): MethodInfo {
    return this.#ctx.method;
  }

  get errors(): ErrorMakers<string> {
    return this.#ctx.errors;
  }

  get requestId(): string {
    return this.#ctx.requestId;
  }

  get signal(): AbortSignal {
    return this.#ctx.signal;
  }

  get setHeader(): HandlerContext<unknown>["setHeader"] {
    return this.#ctx.setHeader;
  }
}

/* What the handlers of reads and of conditional writes receive. */

interface RequestHeaders {
  header(name: string): string | undefined;
}

/** The conditions of a call by GET, HEAD or QUERY, and the tag of its response. */
export class ReadConditions {
  readonly httpMethod: string;
  /** Undefined until the version of the response is known. */
  tag: string | undefined;
  /** What the handler returns if the caller has the current version. */
  result: NotModified | undefined;
  readonly #headers: RequestHeaders;
  /** False while a recorder needs whole responses. */
  readonly #mayOmit: boolean;

  constructor(httpMethod: string, headers: RequestHeaders, mayOmit: boolean) {
    this.httpMethod = httpMethod;
    this.#headers = headers;
    this.#mayOmit = mayOmit;
  }

  /** Whether the caller has this version. */
  isMet(): boolean {
    const known = this.#mayOmit ? this.#headers.header("if-none-match") : undefined;
    return known !== undefined && listsTag(known, this.tag);
  }

  /** The requested part of a file. It is ignored if the caller's first part is of another version. */
  get range(): string | undefined {
    const first = this.#headers.header("if-range")?.trim();
    const isSame = first === undefined || first === this.tag;
    const mayBePart = this.httpMethod === "GET" && this.#mayOmit && isSame;
    return mayBePart ? this.#headers.header("range") : undefined;
  }
}

/** The `ctx` of a read. Without conditions, the call came by POST. */
class ReadCall extends DelegatedContext implements ReadContext<unknown> {
  readonly #conditions: ReadConditions | undefined;

  constructor(ctx: HandlerContext<unknown>, conditions: ReadConditions | undefined) {
    super(ctx);
    this.#conditions = conditions;
  }

  override get setHeader(): HandlerContext<unknown>["setHeader"] {
    return (name, value) => {
      // A shared cache would send the cookie to other callers.
      if (name.toLowerCase() === "set-cookie") throw new TypeError("a method with @cache sets no cookies");
      super.setHeader(name, value);
    };
  }

  get notModified(): ReadContext<unknown>["notModified"] {
    const conditions = this.#conditions;
    return (version) => {
      if (conditions === undefined) return undefined;
      conditions.tag = tagOfState(version);
      conditions.result = conditions.isMet() ? new NotModified() : undefined;
      return conditions.result;
    };
  }
}

/** The `ctx` of a conditional write. */
class WriteCall extends DelegatedContext implements WriteContext<unknown> {
  readonly #headers: RequestHeaders;
  readonly #errorName: string;

  constructor(ctx: HandlerContext<unknown>, headers: RequestHeaders, errorName: string) {
    super(ctx);
    this.#headers = headers;
    this.#errorName = errorName;
  }

  get requireMatch(): WriteContext<unknown>["requireMatch"] {
    return (version) => {
      const required = this.#headers.header("if-match");
      if (required === undefined) return;
      if (version !== undefined && listsStrongTag(required, tagOfState(version))) return;
      throw this.errors[this.#errorName]?.();
    };
  }
}

/* Calls whose responses caches know. Adds the headers for caches, and evaluates conditions. */

/** A call of a read whose response is a file. */
export interface FileReadCall extends OutgoingCall {
  readonly conditions: ReadConditions;
  /** Creates the error for a part that a file of this size does not have. */
  unsatisfiable(size: number): Reply;
}

/** Opens a call of any method in an API with reads. */
export function openCall<Carrier>(
  core: Core<Carrier>,
  path: string,
  method: Method,
  httpMethod: string,
  transport: Transport<Carrier>,
): Exchange<Carrier> {
  const { read }: MethodDefinition = method.definition;
  if (read !== undefined && safeMethods.has(httpMethod)) {
    const conditions = new ReadConditions(httpMethod, transport, !core.isRecording);
    return new ReadExchange(core, path, method, { transport, read, conditions });
  }
  return new UncachedExchange(core, path, method, transport);
}

const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "QUERY"]);

interface ReadParts<Carrier> {
  readonly transport: Transport<Carrier>;
  readonly read: ReadDefinition;
  readonly conditions: ReadConditions;
}

/** A call by GET, HEAD or QUERY. */
class ReadExchange<Carrier> extends Exchange<Carrier> {
  readonly #read: ReadDefinition;
  readonly #conditions: ReadConditions;

  constructor(
    core: Core<Carrier>,
    path: string,
    method: Method,
    { transport, read, conditions }: ReadParts<Carrier>,
  ) {
    super(core, path, withConditions(core, method, { transport, conditions }), transport);
    this.#read = read;
    this.#conditions = conditions;
  }

  override answer(body: ReadBody, send: Send): void {
    super.answer(body, (reply) => {
      if (reply.error !== undefined) send(reply);
      else if (reply.outgoing !== undefined || isFile(reply) || this.#conditions.tag !== undefined)
        send(this.#known(reply));
      else
        this.#tag(reply.body).then(
          () => send(this.#known(reply)),
          () => send(this.#known(reply)),
        );
    });
  }

  protected override contextOf(ctx: HandlerContext<unknown>): HandlerContext<unknown> {
    return new ReadCall(ctx, this.#conditions);
  }

  override finish(reply: Reply, isWritable: boolean): Reply | undefined {
    const finished = super.finish(reply.error === undefined ? reply : withoutStore(reply), isWritable);
    const isEmpty = reply.status === 304 || (this.#conditions.httpMethod === "HEAD" && isFile(reply));
    return finished && isEmpty ? { ...finished, outgoing: noBody } : finished;
  }

  async #tag(body: string): Promise<void> {
    this.#conditions.tag = await tagOfContent(body);
  }

  /** Adds what caches need to know. Removes the id of this call, which a cache would also send to later callers. */
  #known(reply: Reply): Reply {
    const { tag } = this.#conditions;
    const own = { ...reply.headers };
    delete own["X-Request-Id"];
    const { cacheControl, vary } = this.#read;
    const headers = {
      ...(tag !== undefined && { ETag: tag }),
      "Cache-Control": cacheControl,
      ...(vary !== undefined && { Vary: vary }),
    };
    return this.#conditions.isMet() && reply.outgoing === undefined
      ? { ...successReply(""), status: 304, headers }
      : { ...reply, headers: { ...own, ...headers } };
  }
}

/** The length of JSON is known to the adapter. */
function isFile({ headers }: Reply): boolean {
  return headers?.["Content-Disposition"] !== undefined;
}

/** Returns an error response that caches do not keep. They may keep a 404, 405, 410 or 414 without being asked to. */
export function withoutStore(reply: Reply): Reply {
  const others = Object.entries(reply.headers ?? {}).filter(
    ([name]) => name.toLowerCase() !== "cache-control",
  );
  return { ...reply, headers: { ...Object.fromEntries(others), "Cache-Control": "no-store" } };
}

/** The end of a response that has only a head. */
const noBody: OutgoingBody = { open: (sink) => sink.end(), resume: () => {}, cancel: () => {} };

/** A call by POST, or of a write. Caches do not keep its errors, whatever its HTTP method was. */
export class UncachedExchange<Carrier> extends Exchange<Carrier> {
  #isPost = false;

  protected override contextOf(ctx: HandlerContext<unknown>): HandlerContext<unknown> {
    const { read, unmatched }: Partial<MethodDefinition> = this.method?.definition ?? {};
    if (read !== undefined) return new ReadCall(ctx, undefined);
    return unmatched === undefined ? ctx : new WriteCall(ctx, this.transport, unmatched);
  }

  override admit(httpMethod: string | undefined): Reply | undefined | Promise<Reply | undefined> {
    this.#isPost = httpMethod === "POST";
    return super.admit(httpMethod);
  }

  override finish(reply: Reply, isWritable: boolean): Reply | undefined {
    return super.finish(this.#isPost ? reply : withoutStore(reply), isWritable);
  }
}

/** A method for one call by GET, HEAD or QUERY. */
function withConditions<Carrier>(
  core: Core<Carrier>,
  method: Method,
  { transport, conditions }: Pick<ReadParts<Carrier>, "transport" | "conditions">,
): Method {
  const { reply: send } = method.definition;
  const reply: StartReply = (returned, call) => {
    if (returned instanceof NotModified)
      return returned === conditions.result
        ? successReply("")
        : call.badResponse("the handler returned the NotModified of another call");
    const unsatisfiable = (size: number): Reply => ({
      ...withStatus(core.badRequest(`the file has ${size} bytes`), 416),
      headers: { "Content-Range": `bytes */${size}` },
    });
    const fileCall: FileReadCall = { ...call, conditions, unsatisfiable };
    if (send !== undefined) return send(returned, fileCall);
    return transport.isFull?.(core.isLarge(method)) ? core.unread({ hasRun: true }) : call.encode(returned);
  };
  return {
    ...method,
    definition: { ...method.definition, reply },
    handle:
      send === undefined
        ? method.handle
        : async (ctx, request) => {
            const returned = await method.handle(ctx, request);
            const content = (returned as { readonly body?: unknown } | undefined)?.body;
            if (conditions.tag === undefined && content instanceof Uint8Array)
              conditions.tag = await tagOfContent(content);
            return returned;
          },
  };
}
