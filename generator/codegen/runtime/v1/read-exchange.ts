/** Calls whose responses caches know. Adds the headers for caches, and evaluates conditions. */

import type { Transport } from "./caller.ts";
import { ReadCall, ReadConditions, WriteCall } from "./conditional-context.ts";
import type { Core } from "./core.ts";
import type { Send } from "./deadline.ts";
import type { Method } from "./definition.ts";
import { tagOfContent } from "./entity-tag.ts";
import { Exchange } from "./exchange.ts";
import type { HandlerContext } from "./handler.ts";
import { TargetTooLong } from "./json-query.ts";
import type { OutgoingBody } from "./outgoing-body.ts";
import type { OutgoingCall, StartReply } from "./outgoing-call.ts";
import { NotModified } from "./read-handler.ts";
import { type Reply, successReply, withStatus } from "./reply.ts";
import type { ReadBody } from "./request-body.ts";
import type { ReadDefinition, RoutedMethod } from "./route.ts";

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
  const { read }: RoutedMethod = method.definition;
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
    super(core, path, withConditions(core, method, conditions), transport);
    this.#read = read;
    this.#conditions = conditions;
  }

  override answer(body: ReadBody, send: Send): void {
    super.answer(body, (reply) => {
      if (reply.error !== undefined) send(body instanceof TargetTooLong ? withStatus(reply, 414) : reply);
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

  /** Adds what caches need to know. */
  #known(reply: Reply): Reply {
    const { tag } = this.#conditions;
    const { cacheControl, vary } = this.#read;
    const headers = {
      ...(tag !== undefined && { ETag: tag }),
      "Cache-Control": cacheControl,
      ...(vary !== undefined && { Vary: vary }),
    };
    return this.#conditions.isMet() && reply.outgoing === undefined
      ? { ...successReply(""), status: 304, headers }
      : { ...reply, headers: { ...reply.headers, ...headers } };
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
    const { read, unmatched }: Partial<RoutedMethod> = this.method?.definition ?? {};
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
function withConditions<Carrier>(core: Core<Carrier>, method: Method, conditions: ReadConditions): Method {
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
    return send === undefined ? call.encode(returned) : send(returned, fileCall);
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
