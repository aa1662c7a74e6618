import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { clientErrorListener, endsConnection, rawAnswer } from "../../../generated/runtime/v1/node-http.ts";
import type { Reply, RpcFailure, RpcServer } from "../../../generated/runtime/v1/server.ts";
import { rpcError } from "../../../generated/server/index.ts";
import type { RateLimitLabel } from "../../base/credentials/rate-limits.ts";
import { overloaded } from "../services/overloaded.ts";
import type { Connections } from "./connections.ts";
import { corsHeaders } from "./cors.ts";
import { failureResponse } from "./failure-response.ts";

type Rpc = Pick<RpcServer<never>, "webrpc" | "refuseUnparsable">;

/** Answers of the wire itself, which no handler and no middleware sees. Each has the form of every other error. */
export class Rejections {
  readonly #rpc: Rpc;
  readonly #connections: Connections;
  readonly #count: (reason: RejectionReason) => void;
  readonly #overloaded: Reply;
  readonly #tooManyOfCaller: Reply;
  readonly #answerClientError: (error: Error, socket: Duplex) => void;

  constructor(rpc: Rpc, connections: Connections, count: (reason: RejectionReason) => void) {
    this.#rpc = rpc;
    this.#connections = connections;
    this.#count = count;
    this.#overloaded = failureResponse(overloaded());
    this.#tooManyOfCaller = failureResponse(tooManyOfCaller());
    this.#answerClientError = clientErrorListener(rpc as RpcServer<never>, { headers: corsHeaders });
  }

  /** What Node refuses by itself or lets slip silently is answered here. */
  listen(http: Server): void {
    http.on("clientError", (error, socket) => this.#clientError(error, socket as Socket));
    http.on("checkExpectation", (_req, res) => this.badRequest(res, "Expect is not supported"));
    http.on("connect", (_req, socket) => {
      this.#count("malformed");
      const reply = this.#rpc.refuseUnparsable("CONNECT is not supported");
      socket.end(rawAnswer(this.#rpc, reply, corsHeaders));
    });
    http.on("timeout", (socket) => this.#silent(socket));
  }

  badRequest(res: ServerResponse, reason: string): void {
    this.#count("malformed");
    this.#answer(res, this.#rpc.refuseUnparsable(reason), true);
  }

  /** The connection is kept: a new one would cost more than the refusal. */
  overloaded(req: IncomingMessage, res: ServerResponse): void {
    this.#count("overloaded");
    this.#answer(res, this.#overloaded, endsConnection(req));
  }

  /** A request that a trusted proxy passed on for a caller who has too many under way. */
  tooManyOfCaller(req: IncomingMessage, res: ServerResponse): void {
    this.#count("callerConnections");
    this.#answer(res, this.#tooManyOfCaller, endsConnection(req));
  }

  /** A connection past the limit of the host, or of its caller. */
  connection(socket: Socket, reason: "connections" | "callerConnections"): void {
    this.#count(reason);
    socket.on("error", () => {});
    const reply = reason === "connections" ? this.#overloaded : this.#tooManyOfCaller;
    socket.end(rawAnswer(this.#rpc, reply, corsHeaders));
    destroyLater(socket);
  }

  #answer(res: ServerResponse, { status, body, headers }: Reply, isLast: boolean): void {
    if (isLast) res.shouldKeepAlive = false;
    res.writeHead(status, {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(body),
      Webrpc: this.#rpc.webrpc,
      ...corsHeaders,
      ...headers,
    });
    res.end(body);
  }

  #clientError(error: NodeJS.ErrnoException, socket: Socket): void {
    // It was refused already and still sends.
    if (socket.writableEnded) return;
    this.#count(error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? "slow" : "malformed");
    const current = this.#connections.current(socket);
    // The answer of an earlier request is on its way: ours in its midst would be taken for a part of it, or for its own.
    if (current?.req.complete === true) current.res.shouldKeepAlive = false;
    else if (current?.res.headersSent === true) socket.destroy();
    else {
      this.#answerClientError(error, socket);
      destroyLater(socket);
    }
  }

  /** Nothing moves: a body that stopped arriving is refused, an idle connection and a caller who does not read are dropped. */
  #silent(socket: Socket): void {
    const current = this.#connections.current(socket);
    if (current === undefined || current.req.complete || current.res.headersSent) socket.destroy();
    else {
      const error = Object.assign(new Error("nothing arrived"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
      this.#clientError(error, socket);
    }
  }
}

/**
 * Gives the other side a moment to read why it was refused: closing at once, while it still sends, would take the answer from it.
 * Whether or not it ends as well, the connection is then gone.
 */
function destroyLater(socket: Socket): void {
  setTimeout(() => socket.destroy(), 1_000).unref();
}

export type RejectionReason = "malformed" | "slow" | "overloaded" | "connections" | "callerConnections";

function tooManyOfCaller(): RpcFailure {
  return rpcError.RateLimited({
    cause: "too many connections from this address are open; close or reuse some",
    expose: true,
    headers: { "Retry-After": "1", "X-RateLimit-Scope": "address-connections" satisfies RateLimitLabel },
  });
}
