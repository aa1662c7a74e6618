/** Reads the body of Node's requests: all of it, up to a bound, as UTF-8. */
import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { BodyFault } from "./json.ts";

/**
 * Calls back once, with the text or with why there is none. Takes a callback instead of giving a promise because it runs for
 * every request: the promise costs as much as the rest of the reading of a small body. Time is bounded by the host's
 * `server.requestTimeout`, in which a body must have arrived.
 */
export function readText(
  req: IncomingMessage,
  maxBytes: number,
  done: (body: string | BodyFault) => void,
): void {
  const refusal = refuseUnread(req, maxBytes);
  if (refusal === undefined) collect(req, maxBytes, done);
  else done(refusal);
}

function refuseUnread(req: IncomingMessage, maxBytes: number): BodyFault | undefined {
  const declared = req.headers["content-length"];
  if (declared !== undefined && Number(declared) > maxBytes) return tooLarge(maxBytes);
  return req.destroyed ? cutOff() : undefined;
}

function collect(req: IncomingMessage, maxBytes: number, done: (body: string | BodyFault) => void): void {
  let first: Buffer | undefined;
  let rest: Buffer[] | undefined;
  let length = 0;
  let isDone = false;

  req.on("data", (chunk: Buffer) => {
    if (isDone) return;
    length += chunk.length;
    if (length > maxBytes) finish(tooLarge(maxBytes));
    else if (first === undefined) first = chunk;
    else if (rest === undefined) rest = [first, chunk];
    else rest.push(chunk);
  });
  req.on("end", () => {
    if (!isDone) finish(toText(rest === undefined ? first : Buffer.concat(rest, length)));
  });
  req.on("close", () => {
    if (!isDone) finish(cutOff());
  });

  function finish(body: string | BodyFault): void {
    isDone = true;
    done(body);
  }
}

/** A replacement character in the text is either the caller's own or the trace of bytes that are no UTF-8. */
function toText(bytes: Buffer | undefined): string | BodyFault {
  if (bytes === undefined) return "";
  const text = bytes.toString("utf8");
  return text.includes("\ufffd") && !isUtf8(bytes) ? new BodyFault("the body is not UTF-8") : text;
}

function tooLarge(maxBytes: number): BodyFault {
  return new BodyFault(`the body is larger than ${maxBytes} bytes`);
}

function cutOff(): BodyFault {
  return new BodyFault("the connection ended before the body did");
}
