import type { ErrorInfo } from "./errors.ts";
import type { RaisedFailure, ResponseHeaders } from "./handler.ts";
import type { StreamLimits } from "./options.ts";

/* A response body that is sent in parts: a stream or a file. The interface between adapters and both of them. */

/** Where the parts are written: the connection to the caller. */
export interface Sink {
  /** Writes bytes, or text as UTF-8. Returns false if the buffer is full; the adapter calls `resume` once it has room. */
  write(part: string | Uint8Array): boolean;
  end(): void;
  /** Cuts the connection, so that the caller notices that the response is incomplete. */
  destroy(): void;
}

/** A body that is sent in parts, as adapters control it. */
export interface OutgoingBody {
  /** Starts sending, after the head of the response. */
  open(sink: Sink): void;
  /** The sink has room again. */
  resume(): void;
  /** The caller has disconnected, or is disconnected for the given reason. */
  cancel(cause?: string): void;
}

/** A body that a stopping server ends early. */
export interface Drainable {
  /** Ends the body with WebrpcStreamLost. Settles when the handler has finished. */
  endAsLost(cause: string): Promise<unknown>;
}

/*
 * Responses. Error responses have the body `{ error, code, msg, cause?, status, issues?, data? }`, which only this
 * file builds.
 */

/** A response. The adapter adds `Webrpc`, and `Content-Type` and `Content-Length` if the body is JSON. */
export interface Reply {
  readonly status: number;
  /** JSON text. */
  readonly body: string;
  /** Undefined on most responses. */
  readonly headers: ResponseHeaders | undefined;
  readonly error: ErrorInfo | undefined;
  /** For the log. */
  readonly cause: unknown;
  /** Sent instead of the JSON body. Undefined on most responses. */
  readonly outgoing: OutgoingBody | undefined;
}

/** Codes of the errors that the server itself raises. */
export const protocolErrorCode = {
  endpoint: 0,
  badRoute: -2,
  badMethod: -3,
  badRequest: -4,
  badResponse: -5,
  serverPanic: -6,
  internalError: -7,
  clientGone: -8,
  streamLost: -9,
} as const;

export type ProtocolErrorCode = (typeof protocolErrorCode)[keyof typeof protocolErrorCode];

/** Creates a successful response with a JSON body. */
export function successReply(body: string): Reply {
  return { status: 200, body, headers: undefined, error: undefined, cause: undefined, outgoing: undefined };
}

/** Changes the HTTP status of an error response. */
export function withStatus(reply: Reply, status: number): Reply {
  return { ...reply, status, body: JSON.stringify({ ...JSON.parse(reply.body), status }) };
}

/**
 * Builds an error response. `cause` is for the log; the caller receives the failure's `publicCause`. `data` is the JSON
 * of the failure's data.
 */
export function failureReply(
  { info, publicCause, headers, issues }: RaisedFailure,
  cause?: unknown,
  data?: string,
): Reply {
  const { name, code, message, status } = info;
  // JSON.stringify omits undefined fields.
  const body = JSON.stringify({
    error: name,
    code,
    msg: message,
    cause: publicCause,
    status,
    issues: issues?.listed,
  });
  const withData = data === undefined ? body : `${body.slice(0, -1)},"data":${data}}`;
  return {
    status,
    body: withData,
    headers,
    error: { name, code, message, status },
    cause,
    outgoing: undefined,
  };
}

/* The interface between a call and the code that sends its response in parts. */

/** Creates the response to a call from the value that its handler returned. */
export type StartReply = (returned: unknown, call: OutgoingCall) => Reply;

/** A call whose response is sent in parts. */
export interface OutgoingCall {
  readonly requestId: string;
  readonly streamLimits: StreamLimits;
  readonly isRecording: boolean;
  /** The server is stopping. */
  readonly isDraining: boolean;
  /** Bodies that are still being sent, for `drain`. */
  readonly open: Set<Drainable>;
  /** Calls back once if the caller disconnects. */
  whenGone(callback: () => void): void;
  /** Serializes a value of the response type. Returns an error response if the value is invalid. */
  encode(value: unknown): Reply;
  /** Converts what the handler threw, or returned as an error, to an error response. */
  fail(thrown: unknown): Reply;
  /** Creates WebrpcBadResponse. */
  badResponse(cause: string): Reply;
  /** Creates WebrpcStreamLost. */
  lost(cause: string): Reply;
  /** Aborts the handler's signal. */
  abort(reason: DOMException): void;
  /** Called once, when the body ends. */
  onEnd(reply: Reply, delivery: Delivery): void;
}

/** How a response was delivered. */
export interface Delivery {
  /** False if the caller had disconnected. */
  readonly isWritable: boolean;
  /** The recorded items of a stream. */
  readonly items?: readonly string[];
  readonly isFile?: boolean;
}
