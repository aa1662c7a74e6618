/**
 * Errors of the contract, as handlers and hooks raise them: `return ctx.errors.NotFound()`. They have their own type,
 * so the compiler knows which errors a method may return. Throwing them works, too.
 */
import type { Issues } from "./issue.ts";

/** An error of the schema or of the protocol. */
export interface ErrorInfo {
  readonly name: string;
  /** Above 0 for errors of the schema, 0 and below for errors of the protocol. */
  readonly code: number;
  readonly message: string;
  /** HTTP status. */
  readonly status: number;
}

/** Details of a failure: its cause and headers. */
export type FailureAbout = PrivateCause | PublicCause;

interface PrivateCause extends FailureHeaders {
  /** For the log only: the caught error, or any text. */
  readonly cause?: unknown;
  readonly expose?: false;
}

interface PublicCause extends FailureHeaders {
  /** Sent to the caller because `expose` is true. */
  readonly cause: string;
  readonly expose: true;
}

interface FailureHeaders {
  /** Headers of the response: `{ "Retry-After": "30" }`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Creates an error of the schema: `errors.NotFound()`. */
export type ErrorMaker<Name extends string> = (about?: FailureAbout) => RpcFailure<Name>;

/** A function for each error: `errors.NotFound({ cause: "no such audience", expose: true })`. */
export type ErrorMakers<Name extends string> = { readonly [Key in Name]: ErrorMaker<Key> };

/**
 * Excludes failures from the type of responses. Without it, a response type without required fields would accept any
 * object.
 */
export interface NotAFailure {
  readonly "~raises"?: never;
}

const hidden = { writable: true, configurable: true, enumerable: false };

/**
 * A failure of one call. Created only by `ctx.errors`, `call.errors` or `rpcError`. An object that merely looks like
 * one, or belongs to another API, counts as an unknown error, and none of its text is sent.
 */
export class RpcFailure<Name extends string = string> extends Error {
  /** For the compiler only. No field of a schema can have this name. */
  declare readonly "~raises": Name;
  readonly code: number;
  readonly status: number;
  readonly #info: ErrorInfo;
  readonly #about: FailureAbout;

  constructor(info: ErrorInfo, about: FailureAbout = {}) {
    super(info.message);
    // Sets `cause` like ES2022 does, which older TypeScript libraries do not declare.
    if (about.cause !== undefined) Object.defineProperty(this, "cause", { value: about.cause, ...hidden });
    this.name = info.name;
    this.code = info.code;
    this.status = info.status;
    this.#info = info;
    this.#about = about;
  }

  /** Returns the failure as it was created, even if its properties changed later. Undefined for any other value. */
  static read(value: unknown): RaisedFailure | undefined {
    if (typeof value !== "object" || value === null || !(#info in value)) return undefined;
    const { headers, cause, expose } = value.#about;
    return {
      info: value.#info,
      publicCause: expose === true && typeof cause === "string" ? cause : undefined,
      headers,
    };
  }
}

/** The parts of a failure that become an error response. */
export interface RaisedFailure {
  readonly info: ErrorInfo;
  readonly publicCause: string | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** Set if the request does not match its type. */
  readonly issues?: Issues | undefined;
}

/** Returns a function that creates each given error, by name. */
export function errorMakers<Name extends string>(infos: readonly ErrorInfo[]): ErrorMakers<Name> {
  const makers = infos.map((info) => [info.name, (about?: FailureAbout) => new RpcFailure(info, about)]);
  return Object.freeze(Object.fromEntries(makers)) as ErrorMakers<Name>;
}

/**
 * Returns a function that creates a built-in error by its code. Only needed for interop: the server raises them itself.
 */
export function builtinMaker(
  infos: readonly ErrorInfo[],
): (code: number, about?: FailureAbout) => RpcFailure<never> {
  return (code, about) => {
    const info = infos.find((builtin) => builtin.code === code);
    if (info === undefined) throw new RangeError(`there is no built-in error with the code ${code}`);
    return new RpcFailure<never>(info, about);
  };
}
