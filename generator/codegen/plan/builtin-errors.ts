/** The errors of the protocol, as webrpc 0.44 defines them. The configuration can rename them. */
export interface BuiltinError {
  readonly code: number;
  readonly name: string;
  readonly message: string;
  readonly httpStatus: number;
}

/** The error of servers that speak several versions, for clients whose version they cannot serve. */
export const clientOutdated: BuiltinError = {
  code: -100,
  name: "WebrpcClientOutdated",
  message: "client outdated",
  httpStatus: 410,
};

export const builtinErrors: readonly BuiltinError[] = [
  { code: 0, name: "WebrpcEndpoint", message: "endpoint error", httpStatus: 400 },
  { code: -1, name: "WebrpcRequestFailed", message: "request failed", httpStatus: 400 },
  { code: -2, name: "WebrpcBadRoute", message: "bad route", httpStatus: 404 },
  { code: -3, name: "WebrpcBadMethod", message: "bad method", httpStatus: 405 },
  { code: -4, name: "WebrpcBadRequest", message: "bad request", httpStatus: 400 },
  { code: -5, name: "WebrpcBadResponse", message: "bad response", httpStatus: 500 },
  { code: -6, name: "WebrpcServerPanic", message: "server panic", httpStatus: 500 },
  { code: -7, name: "WebrpcInternalError", message: "internal error", httpStatus: 500 },
  { code: -8, name: "WebrpcClientAborted", message: "request aborted by client", httpStatus: 400 },
  { code: -9, name: "WebrpcStreamLost", message: "stream lost", httpStatus: 400 },
  { code: -10, name: "WebrpcStreamFinished", message: "stream finished", httpStatus: 200 },
];
