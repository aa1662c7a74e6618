/** What a client throws. The generated `errors.ts` adds a class for every error of the schema and of the protocol. */

import type { Issue } from "./issue.ts";

export interface RpcErrorInit<Name extends string = string, Code extends number = number> {
  readonly name: Name;
  /** Stable where words may change. 0 and below are the protocol's, 1 and above the schema's. */
  readonly code: Code;
  /** Of HTTP; 0: the client itself refused to send the request. */
  readonly status: number;
  readonly msg: string;
  readonly cause?: string | undefined;
  readonly retryAfter?: string | null;
  readonly issues?: readonly Issue[];
}

/** What may be added to an error of the schema; its name, code and status are fixed. */
export type RpcErrorOptions = Partial<Pick<RpcErrorInit, "msg" | "cause" | "retryAfter">>;

/**
 * Where a call failed. `server`: it was refused, with an error of the schema or the protocol. `request`: no answer came, in time or
 * at all, or a stream broke off; the work may be done. `response`: something answered that does not speak the protocol. `client`: the caller
 * gave up, or the client did not send the request because something in it does not fit.
 */
export type Side = "server" | "request" | "response" | "client";

/** Every failed call ends in one of these, also with a code that the client was not generated with. */
export class RpcError<Name extends string = string, Code extends number = number> extends Error {
  declare readonly name: Name;
  declare readonly code: Code;
  declare readonly status: number;
  /** The server's words. The same as `message`. */
  declare readonly msg: string;
  /** The wire's text; of an answer that is not the protocol's its first 200 characters; else what the transport said. */
  declare readonly cause: string | undefined;
  /** The header Retry-After as it came: seconds or a date. A browser shows it only if the server exposes it. */
  declare readonly retryAfter: string | null | undefined;
  /** What in the request or the response does not fit, and where. */
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

  /** The same call may succeed later: no answer or no end of it, HTTP 429, or above 501. Repeat by yourself only what may happen twice. */
  get retryable(): boolean {
    return this.side === "request" || this.status === 429 || this.status > 501;
  }
}

/**
 * Whether a thrown value is the error with that code. The generated classes ask this for `instanceof`, which so works on whatever
 * a client throws although the client knows no class: a bundle holds only the classes that its own code names.
 */
export function isRpcError(value: unknown, code: number): boolean {
  return value instanceof RpcError && value.code === code;
}
