/**
 * Responses. Error responses have the body `{ error, code, msg, cause?, status, issues? }`, which only this file
 * builds.
 */
import type { ErrorInfo, RaisedFailure } from "./failure.ts";
import type { OutgoingFile } from "./outgoing-file.ts";
import type { ReplyStream } from "./reply-stream.ts";

/** A response. The adapter adds `Content-Type`, `Content-Length` and `Webrpc`. */
export interface Reply {
  readonly status: number;
  /** JSON text. */
  readonly body: string;
  /** Undefined on most responses. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly error: ErrorInfo | undefined;
  /** For the log. */
  readonly cause: unknown;
  /** Sent instead of the body, one line per item. Undefined on most responses. */
  readonly stream: ReplyStream | undefined;
  /** Sent instead of the body. Its headers are included in `headers`. */
  readonly file?: OutgoingFile;
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
  return { status: 200, body, headers: undefined, error: undefined, cause: undefined, stream: undefined };
}

/** The head of a streamed response. `X-Accel-Buffering` tells nginx and compatible proxies not to buffer. */
export function streamReply(stream: ReplyStream, requestId: string): Reply {
  const headers = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Accel-Buffering": "no",
    "X-Request-Id": requestId,
  };
  return { status: 200, body: "", headers, error: undefined, cause: undefined, stream };
}

/** Creates the head of a response that is a file. */
export function fileReply(file: OutgoingFile, requestId: string): Reply {
  return { ...successReply(""), headers: { ...file.headers, "X-Request-Id": requestId }, file };
}

/** Newline-delimited JSON. */
export const streamType = "application/x-ndjson";

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
  return { status, body, headers, error: info, cause, stream: undefined };
}
