import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { CallerConnections } from "./caller-connections.ts";
import type { Capacity } from "./capacity.ts";
import type { Connections } from "./connections.ts";
import type { EarlyRejections } from "./early-rejections.ts";
import { maxHeaders, maxUrlLength } from "./limits.ts";

export interface RequestListenerOptions {
  readonly handle: RequestListener;
  readonly callers: CallerConnections;
  readonly capacity: Capacity;
  readonly connections: Connections;
  readonly rejections: EarlyRejections;
}

/** Handles a request that Node has parsed: rejects malformed requests and those above the capacity, and passes on the rest. */
export function createRequestListener({
  handle,
  callers,
  capacity,
  connections,
  rejections,
}: RequestListenerOptions): RequestListener {
  return (req, res) => {
    const onResponseEnd = connections.requestStarted(req, res);
    const fault = faultOf(req);
    if (fault !== undefined) {
      res.once("close", onResponseEnd);
      rejections.badRequest(res, fault);
    } else if ((req.url ?? "").length > maxUrlLength) {
      res.once("close", onResponseEnd);
      rejections.badRequest(res, `the URL is longer than ${maxUrlLength} characters`, 414);
    } else if (!callers.admitsRequest(req, res)) {
      res.once("close", onResponseEnd);
      rejections.tooManyCallerConnections(req, res);
    } else if (!capacity.admits()) {
      res.once("close", onResponseEnd);
      rejections.overloaded(req, res);
    } else {
      trackHandler(req, res, capacity, onResponseEnd);
      handle(req, res);
    }
  };
}

/**
 * Counts a handler as running from the end of the request body to the end of the response: a body that trickles in occupies no
 * handler. The body of GET and HEAD is not read, so its end is reported only after the response.
 */
function trackHandler(
  req: IncomingMessage,
  res: ServerResponse,
  capacity: Capacity,
  onResponseEnd: () => void,
): void {
  let isRunning = false;
  let isOver = false;
  // Both events fire once, so `once` would only add overhead.
  const start = (): void => {
    if (isOver || isRunning) return;
    isRunning = true;
    capacity.handlerStarted();
  };
  if (req.method === "GET" || req.method === "HEAD") start();
  else req.on("end", start);
  res.on("close", () => {
    isOver = true;
    if (isRunning) capacity.handlerEnded();
    onResponseEnd();
  });
}

function faultOf({ headers, httpVersion, rawHeaders, url = "" }: IncomingMessage): string | undefined {
  if (httpVersion !== "1.1" && httpVersion !== "1.0") return `HTTP/${httpVersion} is not supported`;
  if (headers.host === undefined && httpVersion === "1.1") return "the header Host is missing";
  // RFC 9112, section 3.2: a proxy could read one of two Host headers, and this host the other.
  if (countHosts(rawHeaders) > 1) return "more than one header Host";
  if (headers.host !== undefined && !hostForm.test(headers.host))
    return "the header Host is not a valid host";
  // RFC 9112, section 6.1: only chunked is supported, and HTTP/1.0 has no transfer coding.
  const coding = headers["transfer-encoding"];
  if (coding !== undefined && (httpVersion === "1.0" || coding.toLowerCase() !== "chunked"))
    return "the Transfer-Encoding is not supported";
  if (rawHeaders.length > maxHeaders * 2) return `more than ${maxHeaders} headers`;
  // RFC 9112, section 3.2.2: an absolute URL must be valid. Section 3.2.4: "*" is for OPTIONS only.
  if (!url.startsWith("/") && url !== "*" && !URL.canParse(url))
    return "the target of the request is not a valid URL";
  return undefined;
}

/** RFC 3986, section 3.2.2: a name or an IPv6 address in brackets, and a port. */
const hostForm = /^(?:[\w.~!$&'()*+,;=%-]*|\[[0-9A-Fa-f:.]+\])(?::[0-9]*)?$/;

/** `rawHeaders` has names at even indexes. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === "host") count++;
  }
  return count;
}
