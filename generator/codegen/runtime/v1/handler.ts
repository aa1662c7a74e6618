/** The types of handlers and of what they receive. */
import type { ErrorMakers, NotAFailure, RpcFailure } from "./failure.ts";

/** A value, or a promise of it. */
export type Awaitable<Value> = Value | Promise<Value>;

/**
 * A method of a service: `(ctx, req) => response`. Returns the response or one of the method's errors. If it throws
 * anything else, the caller gets WebrpcInternalError with a fixed text, and the error is logged.
 */
export type Handler<Host, Request, Reply, ErrorName extends string> = (
  ctx: HandlerContext<Host, ErrorName>,
  req: Request,
) => Awaitable<NoFailure<Reply> | RpcFailure<ErrorName>>;

/** A response type with only optional fields would otherwise accept failures of other methods. */
export type NoFailure<Reply> = Reply extends object ? Reply & NotAFailure : Reply;

/** The response of a method without outputs: nothing, or `{}`. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a return statement answers void
export type NoFields = void | Record<string, never>;

/** The `ctx` of a handler. */
export interface HandlerContext<Host, ErrorName extends string = string> {
  readonly method: MethodInfo;
  /** Identifies the call in the log. Sent as `X-Request-Id` if the call fails. */
  readonly requestId: string;
  /** Aborts when the caller disconnects or the deadline passes. Pass it to everything that waits. */
  readonly signal: AbortSignal;
  /** What the server's `context` hook returned for this call. */
  readonly host: Host;
  /** The errors that this method may raise: `return ctx.errors.NotFound()`. */
  readonly errors: ErrorMakers<ErrorName>;
  /**
   * Sets a header of the response, or of an error of the method: `ctx.setHeader("Set-Cookie", ["a=1", "b=2"])`. A second
   * call with the same name replaces the first. Headers of the protocol and those of `@cache` take precedence. Throws if
   * the header is not valid, or if the response has been sent; a generator that streams items runs after that.
   */
  setHeader(name: string, value: HeaderValue): void;
}

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
