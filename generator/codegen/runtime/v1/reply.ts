/**
 * Responses. Error responses have the body `{ error, code, msg, cause?, status, issues? }`, which only this file
 * builds.
 */
import type { ErrorInfo, RaisedFailure } from "./failure.ts";
import type { ResponseHeaders } from "./headers.ts";
import type { OutgoingBody } from "./outgoing-body.ts";

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
export const builtinCode = {
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

export type BuiltinCode = (typeof builtinCode)[keyof typeof builtinCode];

/** Creates a successful response with a JSON body. */
export function successReply(body: string): Reply {
  return { status: 200, body, headers: undefined, error: undefined, cause: undefined, outgoing: undefined };
}

/** Changes the HTTP status of an error response. */
export function withStatus(reply: Reply, status: number): Reply {
  return { ...reply, status, body: JSON.stringify({ ...JSON.parse(reply.body), status }) };
}

/** Builds an error response. `cause` is for the log; the caller receives the failure's `publicCause`. */
export function failureReply({ info, publicCause, headers, issues }: RaisedFailure, cause?: unknown): Reply {
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
  return { status, body, headers, error: info, cause, outgoing: undefined };
}
