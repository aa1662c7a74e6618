import { type ErrorClass, type ErrorOf, rpcErrorClass } from "./errors.ts";
import * as errors from "./protocol-error-table.ts";

/** endpoint error (0, HTTP 400). */
export const WebrpcEndpointError: ErrorClass<typeof errors.endpoint> = /* @__PURE__ */ rpcErrorClass(
  errors.endpoint,
);
export type WebrpcEndpointError = ErrorOf<typeof errors.endpoint>;

/** request failed (-1, HTTP 400). */
export const WebrpcRequestFailedError: ErrorClass<typeof errors.requestFailed> =
  /* @__PURE__ */ rpcErrorClass(errors.requestFailed);
export type WebrpcRequestFailedError = ErrorOf<typeof errors.requestFailed>;

/** bad route (-2, HTTP 404). */
export const WebrpcBadRouteError: ErrorClass<typeof errors.badRoute> = /* @__PURE__ */ rpcErrorClass(
  errors.badRoute,
);
export type WebrpcBadRouteError = ErrorOf<typeof errors.badRoute>;

/** bad method (-3, HTTP 405). */
export const WebrpcBadMethodError: ErrorClass<typeof errors.badMethod> = /* @__PURE__ */ rpcErrorClass(
  errors.badMethod,
);
export type WebrpcBadMethodError = ErrorOf<typeof errors.badMethod>;

/** bad request (-4, HTTP 400). */
export const WebrpcBadRequestError: ErrorClass<typeof errors.badRequest> = /* @__PURE__ */ rpcErrorClass(
  errors.badRequest,
);
export type WebrpcBadRequestError = ErrorOf<typeof errors.badRequest>;

/** bad response (-5, HTTP 500). */
export const WebrpcBadResponseError: ErrorClass<typeof errors.badResponse> = /* @__PURE__ */ rpcErrorClass(
  errors.badResponse,
);
export type WebrpcBadResponseError = ErrorOf<typeof errors.badResponse>;

/** server panic (-6, HTTP 500). */
export const WebrpcServerPanicError: ErrorClass<typeof errors.serverPanic> = /* @__PURE__ */ rpcErrorClass(
  errors.serverPanic,
);
export type WebrpcServerPanicError = ErrorOf<typeof errors.serverPanic>;

/** internal error (-7, HTTP 500). */
export const WebrpcInternalError: ErrorClass<typeof errors.internalError> = /* @__PURE__ */ rpcErrorClass(
  errors.internalError,
);
export type WebrpcInternalError = ErrorOf<typeof errors.internalError>;

/** request aborted by client (-8, HTTP 400). */
export const WebrpcClientAbortedError: ErrorClass<typeof errors.clientAborted> =
  /* @__PURE__ */ rpcErrorClass(errors.clientAborted);
export type WebrpcClientAbortedError = ErrorOf<typeof errors.clientAborted>;

/** stream lost (-9, HTTP 400). */
export const WebrpcStreamLostError: ErrorClass<typeof errors.streamLost> = /* @__PURE__ */ rpcErrorClass(
  errors.streamLost,
);
export type WebrpcStreamLostError = ErrorOf<typeof errors.streamLost>;

/** stream finished (-10, HTTP 200). */
export const WebrpcStreamFinishedError: ErrorClass<typeof errors.streamFinished> =
  /* @__PURE__ */ rpcErrorClass(errors.streamFinished);
export type WebrpcStreamFinishedError = ErrorOf<typeof errors.streamFinished>;

/** client outdated (-100, HTTP 410): the server does not speak the version of this client. */
export const WebrpcClientOutdatedError: ErrorClass<typeof errors.clientOutdated> =
  /* @__PURE__ */ rpcErrorClass(errors.clientOutdated);
export type WebrpcClientOutdatedError = ErrorOf<typeof errors.clientOutdated>;

/** The errors of the protocol and of the client. Every method may fail with them. */
export type ProtocolError =
  | WebrpcEndpointError
  | WebrpcRequestFailedError
  | WebrpcBadRouteError
  | WebrpcBadMethodError
  | WebrpcBadRequestError
  | WebrpcBadResponseError
  | WebrpcServerPanicError
  | WebrpcInternalError
  | WebrpcClientAbortedError;
