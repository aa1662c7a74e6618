/** The types of handlers of reads, and of writes that check the state that their caller has seen. */
import type { NotAFailure, RpcFailure } from "./failure.ts";
import type { Awaitable, HandlerContext, NoFailure } from "./handler.ts";

/**
 * The response to a caller that has the current version. Only `ctx.notModified` creates it.
 */
export class NotModified {
  /** For the compiler only: a response type with only optional fields would otherwise accept it. */
  declare readonly "~raises": NotAFailure;
}

/** The `ctx` of a read. */
export interface ReadContext<Host, ErrorName extends string = string>
  extends HandlerContext<Host, ErrorName> {
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
export type ReadHandler<Host, Request, Reply, ErrorName extends string> = (
  ctx: ReadContext<Host, ErrorName>,
  req: Request,
) => Awaitable<NoFailure<Reply> | NotModified | RpcFailure<ErrorName>>;

/** The `ctx` of a method that lists an error with HTTP status 412. */
export interface WriteContext<Host, ErrorName extends string = string>
  extends HandlerContext<Host, ErrorName> {
  /**
   * Throws the error with HTTP status 412 if the caller sent `If-Match` with other versions than this one, which a read
   * has passed to `ctx.notModified`. Undefined if there is nothing to change. Call it where no other call can change the
   * state before the write, for example within a transaction.
   */
  requireMatch(version: string | undefined): void;
}

/** A method that lists an error with HTTP status 412. */
export type WriteHandler<Host, Request, Reply, ErrorName extends string> = (
  ctx: WriteContext<Host, ErrorName>,
  req: Request,
) => Awaitable<NoFailure<Reply> | RpcFailure<ErrorName>>;
