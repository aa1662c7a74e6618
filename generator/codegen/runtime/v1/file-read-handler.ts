import type { RpcFailure } from "./failure.ts";
import type { Awaitable } from "./handler.ts";
import type { FileReply } from "./outgoing-file.ts";
import type { NotModified, ReadContext } from "./read-handler.ts";

/** A method that returns a file, which caches know. */
export type FileReadHandler<Host, Request, ErrorName extends string> = (
  ctx: ReadContext<Host, ErrorName>,
  req: Request,
) => Awaitable<FileReply | NotModified | RpcFailure<ErrorName>>;
