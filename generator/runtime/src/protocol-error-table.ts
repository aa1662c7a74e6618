import type { ErrorInfo } from "./errors.ts";

/*
 * The errors of the protocol, as webrpc defines them. Each is a constant of its own, so that a bundle contains only
 * those that it uses.
 */

export const endpoint = { name: "WebrpcEndpoint", code: 0, message: "endpoint error", status: 400 } as const;
export const requestFailed = {
  name: "WebrpcRequestFailed",
  code: -1,
  message: "request failed",
  status: 400,
} as const;
export const badRoute = { name: "WebrpcBadRoute", code: -2, message: "bad route", status: 404 } as const;
export const badMethod = { name: "WebrpcBadMethod", code: -3, message: "bad method", status: 405 } as const;
export const badRequest = {
  name: "WebrpcBadRequest",
  code: -4,
  message: "bad request",
  status: 400,
} as const;
export const badResponse = {
  name: "WebrpcBadResponse",
  code: -5,
  message: "bad response",
  status: 500,
} as const;
export const serverPanic = {
  name: "WebrpcServerPanic",
  code: -6,
  message: "server panic",
  status: 500,
} as const;
export const internalError = {
  name: "WebrpcInternalError",
  code: -7,
  message: "internal error",
  status: 500,
} as const;
export const clientAborted = {
  name: "WebrpcClientAborted",
  code: -8,
  message: "request aborted by client",
  status: 400,
} as const;
export const streamLost = {
  name: "WebrpcStreamLost",
  code: -9,
  message: "stream lost",
  status: 400,
} as const;
export const streamFinished = {
  name: "WebrpcStreamFinished",
  code: -10,
  message: "stream finished",
  status: 200,
} as const;
/** Raised only by servers of several versions. */
export const clientOutdated = {
  name: "WebrpcClientOutdated",
  code: -100,
  message: "client outdated",
  status: 410,
} as const;

export const protocolErrors: readonly ErrorInfo[] = [
  endpoint,
  requestFailed,
  badRoute,
  badMethod,
  badRequest,
  badResponse,
  serverPanic,
  internalError,
  clientAborted,
  streamLost,
  streamFinished,
  clientOutdated,
];
