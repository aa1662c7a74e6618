import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { StartFault } from "../../base/start-fault.ts";
import type { App } from "../app.ts";
import type { EarlyRejectionReason } from "../observability/events.ts";
import type { TrustedProxies } from "./caller-address.ts";
import { Capacity } from "./capacity.ts";
import { CallerConnections, Connections } from "./connections.ts";
import { EarlyRejections } from "./early-rejections.ts";
import {
  maxConnections,
  maxHeaders,
  maxUrlLength,
  serverOptions,
  silenceMaxMs,
  streamOpened,
} from "./limits.ts";

export interface ApiServer extends AsyncDisposable {
  readonly url: string;
  readonly load: () => { readonly calls: number; readonly connections: number };
}

interface ApiServerOptions {
  readonly host: string;
  readonly port: number;
  readonly maxCalls: number;
  readonly connectionsPerAddress: number;
  readonly trustedProxies: TrustedProxies;
  /** Longest time that a call in a burst waits for the main thread, in milliseconds. */
  readonly maxLagMs: number;
  /** Time for calls in flight once the host stops, in milliseconds. */
  readonly drainMs: number;
  readonly onRejection: (reason: EarlyRejectionReason) => void;
  readonly onCutOff: (connections: number) => void;
}

/** Starts to listen. Closing rejects new connections, responds to the requests in flight, then closes idle connections. */
export async function openApiServer(
  { koa, rpc, bodies }: App,
  options: ApiServerOptions,
): Promise<ApiServer> {
  const connections = new Connections();
  const capacity = new Capacity(options);
  const rejections = new EarlyRejections(rpc, connections, options.onRejection);
  const callers = new CallerConnections({
    max: options.connectionsPerAddress,
    isTrusted: options.trustedProxies,
  });
  const http = createServer(
    serverOptions,
    createRequestListener({ handle: koa.callback(), callers, capacity, connections, rejections }),
  );
  http.maxHeadersCount = maxHeaders + 1;
  http.timeout = silenceMaxMs;
  http.prependListener("connection", (socket) => {
    if (connections.count >= maxConnections) rejections.connection(socket, "connections");
    else if (!callers.admitsSocket(socket)) rejections.connection(socket, "callerConnections");
    else connections.add(socket);
  });
  rejections.listen(http);
  await listen(http, options);
  const clock = setInterval(() => bodies.tick(), 1_000).unref();
  return {
    url: urlOf(http.address() as AddressInfo),
    load: () => ({ calls: capacity.calls, connections: connections.count }),
    async [Symbol.asyncDispose]() {
      // Ends streams, which could otherwise run forever. Not awaited: `connections.drain` waits for their connections too.
      rpc.drain().catch(() => {});
      const cutOff = await connections.drain(http, options.drainMs);
      clearInterval(clock);
      if (cutOff > 0) options.onCutOff(cutOff);
    },
  };
}

async function listen(http: Server, { host, port }: ApiServerOptions): Promise<void> {
  // Connections that may arrive while the thread is busy. On most machines the system's own limit is lower.
  http.listen({ port, host, backlog: 4_096 });
  try {
    await once(http, "listening");
  } catch (err) {
    const { code = "", message } = err as NodeJS.ErrnoException;
    throw new StartFault(`cannot listen on ${host}:${port}: ${listenFaults[code] ?? message}`);
  }
}

const listenFaults: Readonly<Record<string, string>> = {
  EADDRINUSE: "the port is in use; choose another with --port",
  EACCES: "permission denied; choose a port above 1023",
  EADDRNOTAVAIL: "this machine has no such address",
};

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}

interface RequestListenerOptions {
  readonly handle: RequestListener;
  readonly callers: CallerConnections;
  readonly capacity: Capacity;
  readonly connections: Connections;
  readonly rejections: EarlyRejections;
}

/** Handles a request that Node has parsed: rejects malformed requests and those above the capacity, and passes on the rest. */
function createRequestListener({
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
  const end = (): void => {
    isOver = true;
    if (isRunning) capacity.handlerEnded();
    isRunning = false;
  };
  res.on(streamOpened, end);
  res.on("close", () => {
    end();
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
