/**
 * Errors that a client throws. The generated `errors.ts` adds a class for every error of the schema and of the
 * protocol.
 */

import type { Issue } from "./issue.ts";

/** The fields of an `RpcError`. */
export interface RpcErrorInit<Name extends string = string, Code extends number = number> {
  readonly name: Name;
  /** Stable even if the message changes. Protocol errors have codes up to 0, schema errors from 1. */
  readonly code: Code;
  /** HTTP status. 0: the client did not send the request. */
  readonly status: number;
  readonly msg: string;
  readonly cause?: string | undefined;
  readonly retryAfter?: string | null;
  readonly issues?: readonly Issue[];
}

/** Optional details of a schema error. Its name, code and status are fixed. */
export type RpcErrorOptions = Partial<Pick<RpcErrorInit, "msg" | "cause" | "retryAfter">>;

/**
 * Where a call failed.
 * `server`: the server returned an error of the schema or the protocol.
 * `request`: no complete response arrived; the server may have done the work.
 * `response`: the response does not follow the protocol.
 * `client`: the caller aborted the call, or the request is invalid and was not sent.
 */
export type Side = "server" | "request" | "response" | "client";

/** The error of every failed call. Errors with codes unknown to this client are of this class, too. */
export class RpcError<Name extends string = string, Code extends number = number> extends Error {
  declare readonly name: Name;
  declare readonly code: Code;
  declare readonly status: number;
  /** The server's message, same as `message`. */
  declare readonly msg: string;
  /** Details from the server, the first 200 characters of an invalid response, or the transport's error. */
  declare readonly cause: string | undefined;
  /** The header Retry-After as received: seconds or a date. In a browser, the server must expose the header. */
  declare readonly retryAfter: string | null | undefined;
  /** Which values of the request or response are invalid, and why. */
  declare readonly issues: readonly Issue[] | undefined;

  constructor(init: RpcErrorInit<Name, Code>) {
    super(init.msg);
    Object.assign(this, init);
  }

  get side(): Side {
    const { code } = this;
    return code === -1 || code === -9
      ? "request"
      : code === -5
        ? "response"
        : code === -8 || this.status === 0
          ? "client"
          : "server";
  }

  /**
   * Whether the same call may succeed later: the response was lost or has a Retry-After header, HTTP 429, or a status above
   * 501. Only repeat calls that are idempotent.
   */
  get retryable(): boolean {
    return !!this.retryAfter || this.side === "request" || this.status === 429 || this.status > 501;
  }
}

/**
 * Whether a thrown value is the error with that code. The generated classes use this for `instanceof`. The client
 * itself therefore references no error class, and a bundle contains only those that its code uses.
 */
export function isRpcError(value: unknown, code: number): boolean {
  return value instanceof RpcError && value.code === code;
}
