/** What a handler sees and answers. */
import type { ErrorMakers, NotAFailure, RpcFailure } from "./failure.ts";
import type { FileReply } from "./outgoing-file.ts";

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
