import type { RpcFailure } from "./failure.ts";
import type { Awaitable, HandlerContext, NoFailure } from "./handler.ts";

/**
 * A method that streams, usually an `async function*`. Each yielded item is sent. An error that it returns or throws
 * ends the stream and is sent last. The next item is requested when the connection has room for it. When the caller
 * disconnects, `ctx.signal` aborts and then the `finally` blocks run, so pass the signal to everything that waits.
 */
export type StreamHandler<Host, Request, Item, ErrorName extends string> = (
  ctx: HandlerContext<Host, ErrorName>,
  req: Request,
) => Awaitable<Items<Item, ErrorName> | RpcFailure<ErrorName>>;

/** What an `async function*` returns. */
export type Items<Item, ErrorName extends string> = AsyncIterable<
  NoFailure<Item>,
  // biome-ignore lint/suspicious/noConfusingVoidType: a generator without a return statement returns void
  RpcFailure<ErrorName> | undefined | void
>;
