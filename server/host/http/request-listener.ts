import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { CallerConnections } from "./caller-connections.ts";
import type { Capacity } from "./capacity.ts";
import type { Connections } from "./connections.ts";
import { maxHeaders, maxUrlLength } from "./limits.ts";
import type { Rejections } from "./rejections.ts";

export interface RequestListenerOptions {
  readonly handle: RequestListener;
  readonly callers: CallerConnections;
  readonly capacity: Capacity;
  readonly connections: Connections;
  readonly rejections: Rejections;
}

/** Takes a request that Node has parsed: refuses what is no request of ours and what is past the capacity, passes on the rest. */
export function createRequestListener({
  handle,
  callers,
  capacity,
  connections,
  rejections,
}: RequestListenerOptions): RequestListener {
  return (req, res) => {
    const answered = connections.requestStarted(req, res);
    const fault = faultOf(req);
    if (fault !== undefined) {
      res.once("close", answered);
      rejections.badRequest(res, fault);
    } else if (!callers.admitsRequest(req, res)) {
      res.once("close", answered);
      rejections.tooManyOfCaller(req, res);
    } else if (!capacity.admits()) {
      res.once("close", answered);
      rejections.overloaded(req, res);
    } else {
      follow(req, res, capacity, answered);
      handle(req, res);
    }
  };
}

/** A handler is at work from the end of the body to the end of the answer: a body that trickles in keeps nobody busy. */
function follow(req: IncomingMessage, res: ServerResponse, capacity: Capacity, answered: () => void): void {
  let isAtWork = false;
  let isOver = false;
  // Both come once: `once` would only make more of them.
  req.on("end", () => {
    if (isOver) return;
    isAtWork = true;
    capacity.handlerStarted();
  });
  res.on("close", () => {
    isOver = true;
    if (isAtWork) capacity.handlerEnded();
    answered();
  });
}

function faultOf({ headers, httpVersion, rawHeaders, url = "" }: IncomingMessage): string | undefined {
  if (httpVersion !== "1.1" && httpVersion !== "1.0") return `HTTP/${httpVersion} is not supported`;
  if (headers.host === undefined && httpVersion === "1.1") return "no header Host";
  // RFC 9112, section 3.2: two of them would be one thing to a proxy and another to us.
  if (countHosts(rawHeaders) > 1) return "more than one header Host";
  if (headers.host !== undefined && !hostForm.test(headers.host)) return "the header Host names no host";
  // RFC 9112, section 6.1: other codings are not known here, and HTTP/1.0 knows none.
  const coding = headers["transfer-encoding"];
  if (coding !== undefined && (httpVersion === "1.0" || coding.toLowerCase() !== "chunked"))
    return "a Transfer-Encoding that is not supported";
  if (rawHeaders.length > maxHeaders * 2) return `more than ${maxHeaders} headers`;
  // RFC 9112, section 3.2.2: a whole address, which must be one; section 3.2.4: "*", of OPTIONS alone.
  if (!url.startsWith("/") && url !== "*" && !URL.canParse(url))
    return "the target of the request is no address";
  if (url.length > maxUrlLength) return `the address is longer than ${maxUrlLength} characters`;
  return undefined;
}

/** RFC 3986, section 3.2.2: a name or an IPv6 address in brackets, and a port. */
const hostForm = /^(?:[\w.~!$&'()*+,;=%-]*|\[[0-9A-Fa-f:.]+\])(?::[0-9]*)?$/;

/** Names stand at even places. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === "host") count++;
  }
  return count;
}
