/** What a client throws. The generated `errors.ts` adds a class for every error of the schema and of the protocol. */

export interface RpcErrorInit<Name extends string = string, Code extends number = number> {
  readonly name: Name;
  /** Stable where words may change. 0 and below are the protocol's, 1 and above the schema's. */
  readonly code: Code;
  /** Of HTTP. */
  readonly status: number;
  readonly msg: string;
  readonly cause?: string | undefined;
  readonly retryAfterMs?: number | undefined;
}

/** What may be added to an error of the schema; its name, code and status are fixed. */
export type RpcErrorOptions = Partial<Pick<RpcErrorInit, "msg" | "cause" | "retryAfterMs">>;

/**
 * Which side failed. `refused`: the server answered with an error. `unanswered`: nothing came back, in time or at all; the work
 * may be done. `aborted`: the caller gave up. `garbled`: something answered that does not speak the protocol, as a proxy's page.
 */
export type Side = "refused" | "unanswered" | "aborted" | "garbled";

/** Every failed call ends in one of these, also with a code that the client was not generated with. */
export class RpcError<Name extends string = string, Code extends number = number> extends Error {
  declare readonly name: Name;
  declare readonly code: Code;
  declare readonly status: number;
  /** The server's words. The same as `message`. */
  declare readonly msg: string;
  /** The wire's text; of an answer that is not the protocol's its first 200 characters; else what the transport said. */
  declare readonly cause: string | undefined;
  /** How long the server asks to wait before the next try, in milliseconds: its header Retry-After. */
  declare readonly retryAfterMs: number | undefined;

  constructor(init: RpcErrorInit<Name, Code>) {
    super(init.msg);
    Object.assign(this, init);
  }

  get side(): Side {
    const sides: Readonly<Record<number, Side>> = { [-1]: "unanswered", [-5]: "garbled", [-8]: "aborted" };
    return sides[this.code] ?? "refused";
  }

  /** The same call may succeed later: no answer, or HTTP 429, 502, 503, 504. Repeat by yourself only what may happen twice. */
  get retryable(): boolean {
    return this.code === -1 || [429, 502, 503, 504].includes(this.status);
  }
}

/**
 * Whether a thrown value is the error with that code. The generated classes ask this for `instanceof`, which so works on whatever
 * a client throws although the client knows no class: a bundle holds only the classes that its own code names.
 */
export function isRpcError(value: unknown, code: number): boolean {
  return value instanceof RpcError && value.code === code;
}
