/**
 * Errors of the contract, as handlers and hooks raise them: `return ctx.errors.NotFound()`. They are values with a type of their
 * own, so that the compiler knows which of them a method may answer. They may be thrown as well.
 */
import type { Issues } from "./issue.ts";

/** An error of the schema or of the protocol. */
export interface ErrorInfo {
  readonly name: string;
  /** Above 0 for errors of the schema, 0 and below for those of the protocol. */
  readonly code: number;
  readonly message: string;
  /** Of HTTP. */
  readonly status: number;
}

/** What may be said about one failure beside which error it is. */
export type FailureAbout = PrivateCause | PublicCause;

interface PrivateCause extends FailureHeaders {
  /** For the log only: the error that was caught, or any text. */
  readonly cause?: unknown;
  readonly expose?: false;
}

interface PublicCause extends FailureHeaders {
  /** Sent to the caller, because `expose` says that it is meant for them. */
  readonly cause: string;
  readonly expose: true;
}

interface FailureHeaders {
  /** Sent with the answer: `{ "Retry-After": "30" }`. */
  readonly headers?: Readonly<Record<string, string>>;
}

export type ErrorMaker<Name extends string> = (about?: FailureAbout) => RpcFailure<Name>;

/** A function an error: `errors.NotFound({ cause: "no such audience", expose: true })`. */
export type ErrorMakers<Name extends string> = { readonly [Key in Name]: ErrorMaker<Key> };

/** Keeps failures out of the type of replies, also of replies without a required field, which would take any object. */
export interface NotAFailure {
  readonly "~raises"?: never;
}

const hidden = { writable: true, configurable: true, enumerable: false };

/**
 * One failure of a call. Made by `ctx.errors`, `call.errors` or `rpcError` only: what merely looks like one, or is one of
 * another API, is an unknown error and none of its text leaves the server.
 */
export class RpcFailure<Name extends string = string> extends Error {
  /** For the compiler alone. No field of a schema can have this name. */
  declare readonly "~raises": Name;
  readonly code: number;
  readonly status: number;
  readonly #info: ErrorInfo;
  readonly #about: FailureAbout;

  constructor(info: ErrorInfo, about: FailureAbout = {}) {
    super(info.message);
    // As the option `cause` of ES2022 sets it; older libraries of types do not know that option.
    if (about.cause !== undefined) Object.defineProperty(this, "cause", { value: about.cause, ...hidden });
    this.name = info.name;
    this.code = info.code;
    this.status = info.status;
    this.#info = info;
    this.#about = about;
  }

  /** The very failure that was made, whatever was done to its properties since; undefined for anything else. */
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

export interface RaisedFailure {
  readonly info: ErrorInfo;
  readonly publicCause: string | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** Of a request that does not fit its type. */
  readonly issues?: Issues | undefined;
}

/** Makers of the given errors, by name. */
export function errorMakers<Name extends string>(infos: readonly ErrorInfo[]): ErrorMakers<Name> {
  const makers = infos.map((info) => [info.name, (about?: FailureAbout) => new RpcFailure(info, about)]);
  return Object.freeze(Object.fromEntries(makers)) as ErrorMakers<Name>;
}

/** Makes one of the protocol's own errors by its code. For interop: the core raises them by itself. */
export function builtinMaker(
  infos: readonly ErrorInfo[],
): (code: number, about?: FailureAbout) => RpcFailure<never> {
  return (code, about) => {
    const info = infos.find((builtin) => builtin.code === code);
    if (info === undefined) throw new RangeError(`no built-in error has the code ${code}`);
    return new RpcFailure<never>(info, about);
  };
}
