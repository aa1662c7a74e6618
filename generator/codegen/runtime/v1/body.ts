/** Reads the whole body of a Node request as UTF-8, up to a size limit. */
import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { WatchedCall } from "./body-watcher.ts";
import { BodyFault } from "./json.ts";
import type { ParsedBody, ReadBody } from "./request-body.ts";

/**
 * Reads a request body and calls `done` once, with the text or with the reason why there is none.
 *
 * A callback, because a promise per request costs as much as the rest of reading a small body. Node's
 * `server.requestTimeout` limits how long a body may take. `parsed` is the object on which a body parser, such as
 * Express's or Koa's, has left its result.
 */
export function readBody(
  req: IncomingMessage,
  maxBytes: number,
  call: WatchedCall,
  done: Done,
  parsed: { readonly body?: unknown } = req as { readonly body?: unknown },
): void {
  if (req.readableEnded && parsed.body !== undefined) done({ value: parsed.body });
  else if (Number(req.headers["content-length"] ?? 0) > maxBytes) done(tooLarge(maxBytes));
  else if (req.destroyed) done(connectionEnded());
  else collect(req, maxBytes, call, done);
}

type Done = (body: ReadBody) => void;

function collect(req: IncomingMessage, maxBytes: number, call: WatchedCall, done: Done): void {
  let first: Buffer | undefined;
  let rest: Buffer[] | undefined;
  let length = 0;
  let isDone = false;
  const watcher = call.watchBody((refusal) => {
    if (!isDone) finish(refusal);
  });

  req.on("data", (chunk: Buffer) => {
    if (isDone) return;
    length += chunk.length;
    watcher?.arrived(chunk.length);
    // The watcher may have rejected the body.
    if (isDone) return;
    if (length > maxBytes) finish(tooLarge(maxBytes));
    else if (first === undefined) first = chunk;
    else if (rest === undefined) rest = [first, chunk];
    else rest.push(chunk);
  });
  req.on("end", () => {
    if (!isDone) finish(toText(rest === undefined ? first : Buffer.concat(rest, length)));
  });
  req.on("close", () => {
    if (!isDone) finish(connectionEnded());
  });

  function finish(body: Exclude<ReadBody, ParsedBody>): void {
    isDone = true;
    first = undefined;
    rest = undefined;
    watcher?.ended();
    done(body);
  }
}

/** A replacement character is either part of the text, or it marks bytes that are not UTF-8. */
function toText(bytes: Buffer | undefined): string | BodyFault {
  if (bytes === undefined) return "";
  const text = bytes.toString("utf8");
  return text.includes("\ufffd") && !isUtf8(bytes) ? new BodyFault("the body is not UTF-8") : text;
}

function tooLarge(maxBytes: number): BodyFault {
  return new BodyFault(`the body is larger than ${maxBytes} bytes`);
}

function connectionEnded(): BodyFault {
  return new BodyFault("the connection closed before the body was complete");
}
