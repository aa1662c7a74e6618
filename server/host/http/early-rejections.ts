import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { RpcFailure } from "ridlkit-runtime/handler";
import { clientErrorListener, endsConnection, rawAnswer } from "ridlkit-runtime/node";
import type { Reply } from "ridlkit-runtime/reply";
import type { RpcServer } from "ridlkit-runtime/server";
import { rpcError } from "../../../generated/server.ts";
import type { RateLimitLabel } from "../../base/rate-limits.ts";
import { overloaded, retryAfterSeconds } from "../failures.ts";
import type { EarlyRejectionReason } from "../observability/events.ts";
import type { Connections } from "./connections.ts";
import { corsHeaders } from "./cors.ts";
import { failureResponse } from "./failure-response.ts";

type Rpc = Pick<RpcServer<never>, "webrpc" | "refuseUnparsable">;

/** Responses of the HTTP server before a call reaches its guards: they bypass handlers and middleware. Each has the JSON form of every other error. */
export class EarlyRejections {
  readonly #rpc: Rpc;
  readonly #connections: Connections;
  readonly #count: (reason: EarlyRejectionReason) => void;
  readonly #overloaded: Reply;
  readonly #tooManyCallerConnections: Reply;
  readonly #respondToClientError: (error: Error, socket: Duplex) => void;

  constructor(rpc: Rpc, connections: Connections, count: (reason: EarlyRejectionReason) => void) {
    this.#rpc = rpc;
    this.#connections = connections;
    this.#count = count;
    this.#overloaded = failureResponse(overloaded());
    this.#tooManyCallerConnections = failureResponse(tooManyCallerConnections());
    this.#respondToClientError = clientErrorListener(rpc as RpcServer<never>, { headers: corsHeaders });
  }

  /** Handles requests that Node would reject without a body, or drop silently. */
  listen(http: Server): void {
    http.on("clientError", (error, socket) => this.#onClientError(error, socket as Socket));
    http.on("checkExpectation", (_req, res) => this.badRequest(res, "Expect is not supported"));
    http.on("connect", (_req, socket) => {
      this.#count("malformed");
      const reply = this.#rpc.refuseUnparsable("CONNECT is not supported");
      socket.end(rawAnswer(this.#rpc, reply, corsHeaders));
    });
    http.on("timeout", (socket) => this.#onTimeout(socket));
  }

  badRequest(res: ServerResponse, reason: string, status?: number): void {
    this.#count("malformed");
    this.#respond(res, this.#rpc.refuseUnparsable(reason, status), true);
  }

  /** Keeps the connection open: a new one would cost more than the rejection. */
  overloaded(req: IncomingMessage, res: ServerResponse): void {
    this.#count("overloaded");
    this.#respond(res, this.#overloaded, endsConnection(req));
  }

  /** Rejects a request that a trusted proxy forwarded for a caller with too many requests in flight. */
  tooManyCallerConnections(req: IncomingMessage, res: ServerResponse): void {
    this.#count("callerConnections");
    this.#respond(res, this.#tooManyCallerConnections, endsConnection(req));
  }

  /** Rejects a connection above the limit of the host or of its caller. */
  connection(socket: Socket, reason: "connections" | "callerConnections"): void {
    this.#count(reason);
    socket.on("error", () => {});
    const reply = reason === "connections" ? this.#overloaded : this.#tooManyCallerConnections;
    socket.end(rawAnswer(this.#rpc, reply, corsHeaders));
    destroyLater(socket);
  }

  #respond(res: ServerResponse, { status, body, headers }: Reply, isLast: boolean): void {
    if (isLast) res.shouldKeepAlive = false;
    res.writeHead(status, {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(body),
      Webrpc: this.#rpc.webrpc,
      ...corsHeaders,
      ...headers,
      // Caches may keep a 414 without being asked to.
      ...(res.req.method === "POST" ? {} : { "Cache-Control": "no-store" }),
    });
    res.end(body);
  }

  #onClientError(error: NodeJS.ErrnoException, socket: Socket): void {
    // The response is complete, but the caller is still sending the request.
    if (socket.writableEnded) return;
    this.#count(error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? "slow" : "malformed");
    const exchange = this.#connections.current(socket);
    // The response to an earlier request is being sent. A second response would corrupt it, or be mistaken for it.
    if (exchange?.req.complete === true) exchange.res.shouldKeepAlive = false;
    else if (exchange?.res.headersSent === true) socket.destroy();
    else {
      this.#respondToClientError(error, socket);
      destroyLater(socket);
    }
  }

  /**
   * Handles a socket without traffic: rejects a body that has stopped arriving, and closes the connection of an idle caller or of one
   * that does not read.
   */
  #onTimeout(socket: Socket): void {
    const exchange = this.#connections.current(socket);
    if (exchange === undefined || exchange.req.complete || exchange.res.headersSent) socket.destroy();
    else {
      const error = Object.assign(new Error("no data arrived"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
      this.#onClientError(error, socket);
    }
  }
}

/**
 * Gives the caller a second to read the rejection: closing while the caller still sends would discard the response. Then closes
 * the connection in any case.
 */
function destroyLater(socket: Socket): void {
  setTimeout(() => socket.destroy(), 1_000).unref();
}

function tooManyCallerConnections(): RpcFailure {
  return rpcError.RateLimited({
    cause: "too many connections from this address are open; close or reuse some",
    expose: true,
    headers: {
      "Retry-After": retryAfterSeconds,
      "X-RateLimit-Scope": "address-connections" satisfies RateLimitLabel,
    },
  });
}
