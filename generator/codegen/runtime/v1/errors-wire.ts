/** Failures as answers: the envelope `{ error, code, msg, cause?, status, issues? }`, built here and nowhere else. */
import type { ErrorInfo, RaisedFailure } from "./failure.ts";
import type { OutgoingFile } from "./outgoing-file.ts";
import type { ReplyStream } from "./reply-stream.ts";

/** What goes back to the caller. The adapter adds `Content-Type`, `Content-Length` and `Webrpc`. */
export interface Reply {
  readonly status: number;
  /** JSON. */
  readonly body: string;
  /** Undefined on most answers. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly error: ErrorInfo | undefined;
  /** For the log. */
  readonly cause: unknown;
  /** Sent in place of the body, a line an item. Undefined on most answers. */
  readonly stream: ReplyStream | undefined;
  /** Sent in place of the body. Its headers are among those of the answer. */
  readonly file?: OutgoingFile;
}

/** Codes of the errors that the core raises. */
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

export function successReply(body: string): Reply {
  return { status: 200, body, headers: undefined, error: undefined, cause: undefined, stream: undefined };
}

/** The head of a streamed answer. `X-Accel-Buffering` asks nginx, and who understands its words, not to hold lines back. */
export function streamReply(stream: ReplyStream, requestId: string): Reply {
  const headers = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Accel-Buffering": "no",
    "X-Request-Id": requestId,
  };
  return { status: 200, body: "", headers, error: undefined, cause: undefined, stream };
}

export function fileReply(file: OutgoingFile, requestId: string): Reply {
  return { ...successReply(""), headers: { ...file.headers, "X-Request-Id": requestId }, file };
}

/** Lines of JSON. */
export const streamType = "application/x-ndjson";

/** The envelope of a failure. `cause` is for the log; what the caller reads is the failure's public cause. */
export function failureReply({ info, publicCause, headers, issues }: RaisedFailure, cause?: unknown): Reply {
  const { name, code, message, status } = info;
  // JSON leaves out what is undefined.
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
