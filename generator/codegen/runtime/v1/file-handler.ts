import type { RpcFailure } from "./failure.ts";
import type { Awaitable, HandlerContext } from "./handler.ts";
import type { FileReply } from "./outgoing-file.ts";

/**
 * A method that returns a file: `async (ctx, req) => openAsBlob(path, { type: "image/png" })`, with `openAsBlob` of
 * `node:fs`.
 */
export type FileHandler<Host, Request, ErrorName extends string> = (
  ctx: HandlerContext<Host, ErrorName>,
  req: Request,
) => Awaitable<FileReply | RpcFailure<ErrorName>>;
