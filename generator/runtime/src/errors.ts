/**
 * An invalid value in a body. Compatible with the issues of [Standard Schema](https://standardschema.dev), so form
 * libraries can show it at its field.
 */
export interface Issue {
  /** Example: `expected text of 1 to 64 characters, found nothing`, or the text of `+ message` in the schema. */
  readonly message: string;
  /** The rule that the value breaks, for texts of your own. Undefined for issues of the client itself, and of older servers. */
  readonly code?: IssueCode;
  /**
   * The limit that the value breaks, by the name of its meta key: `{ maxLength: 64 }`. Larger integers are text. For `oneOf`, the
   * fields of the group: `{ fields: ["card", "iban"] }`. For a field that depends on a kind: `{ kind: "method", value: "card" }`.
   */
  readonly params?: Readonly<Record<string, number | string | readonly string[]>>;
  /** Keys and list indexes from the root of the body: `["input", 3, "orderId"]`. `[]` for the body itself. */
  readonly path: IssuePath;
  /** What the schema requires: `text of 1 to 64 characters`, `a list of at most 100 items`. */
  readonly expected: string;
  /**
   * The actual value, in at most 60 characters: `"0x12…" (66 characters)`, `nothing`. For secret fields only its kind:
   * `text`.
   */
  readonly found: string;
}

/**
 * `required`: there is no value. `type`: the value has another type or form. `enum`: no value of the enum. `oneOf`: none
 * or several fields of a group are set. `when`: the field belongs to another kind. All others are the names of meta keys.
 */
export type IssueCode =
  | ("required" | "type" | "enum" | "pattern" | "format" | "oneOf" | "when")
  | ("minimum" | "maximum" | "minLength" | "maxLength" | "minItems" | "maxItems");

/** Keys and list indexes from the root of a body. */
export type IssuePath = readonly (string | number)[];

/** All issues of a body. */
export interface Issues {
  /** The first `maxListedIssues` issues. */
  readonly listed: readonly Issue[];
  /** Number of issues that are not listed. A lower bound once `maxCountedIssues` is reached. */
  readonly more: number;
}

/** A body of 1 MiB may have half a million issues. Readers need only the first few. */
export const maxListedIssues = 20;

/** Validation stops after this many issues, so a hostile body costs no more than a valid one. */
export const maxCountedIssues = 1_000;

/** Creates an issue and its message. */
export function issue(path: IssuePath, expected: string, found: string): Issue {
  return { message: `expected ${expected}, found ${found}`, path, expected, found };
}

/** Lists the first issues and counts the rest. */
export function toIssues(all: readonly Issue[]): Issues {
  const listed = all.slice(0, maxListedIssues).map(withCode);
  return { listed, more: all.length - listed.length };
}

/** Adds the code of a rule that has no limits. */
export function withCode(of: Issue): Issue {
  return { code: of.found === "nothing" ? "required" : "type", ...of };
}

/**
 * Formats all issues as one line:
 * `/input/3/orderId: expected text, found 5; /page: expected an object, found a list of 0; and 4 more`.
 */
export function describeIssues({ listed, more }: Issues): string {
  const described = listed
    .map(({ path, expected, found }) => `${pointerOf(path) || "body"}: expected ${expected}, found ${found}`)
    .join("; ");
  if (more === 0) return described;
  return `${described}; and ${listed.length + more < maxCountedIssues ? "" : "at least "}${more} more`;
}

/** Formats a path as a JSON Pointer: `["input", 3]` → `/input/3`, `[]` → `""`. */
export function pointerOf(path: IssuePath): string {
  return path.map((step) => `/${`${step}`.replace(/~/g, "~0").replace(/\//g, "~1")}`).join("");
}

/* Errors that a client throws. The generated `errors.ts` adds a class for every error of the schema. */

/** An error of the schema or of the protocol. */
export interface ErrorInfo<Name extends string = string, Code extends number = number> {
  readonly name: Name;
  /** Stable even if the message changes. Protocol errors have codes up to 0, schema errors from 1. */
  readonly code: Code;
  readonly message: string;
  /** HTTP status. 0: the client did not send the request. */
  readonly status: number;
  /** Servers take data with the error. */
  readonly hasData?: true;
}

/** The fields of an `RpcError`. */
export interface RpcErrorInit<Name extends string = string, Code extends number = number, Data = unknown>
  extends ErrorInfo<Name, Code> {
  readonly cause?: string | undefined;
  readonly retryAfter?: string | null;
  readonly issues?: readonly Issue[];
  readonly data?: Data;
}

/** Optional details of a schema error. Its name, code and status are fixed. */
export type RpcErrorOptions<Data = unknown> = Partial<
  Pick<RpcErrorInit<string, number, Data>, "message" | "cause" | "retryAfter" | "data">
>;

/**
 * Where a call failed.
 * `server`: the server returned an error of the schema or the protocol.
 * `request`: no complete response arrived; the server may have done the work.
 * `response`: the response does not follow the protocol.
 * `client`: the caller aborted the call, or the request is invalid and was not sent.
 */
export type Side = "server" | "request" | "response" | "client";

/** The error of every failed call. Errors with codes unknown to this client are of this class, too. */
export class RpcError<
  Name extends string = string,
  Code extends number = number,
  Data = unknown,
> extends Error {
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
  /**
   * The data of the error. Undefined if the server sent none, as servers of earlier versions do, or if it does not have
   * its type.
   */
  declare readonly data: Data | undefined;

  constructor(init: RpcErrorInit<Name, Code, Data>) {
    super(init.message);
    Object.assign(this, init, { msg: init.message });
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

/** The class of one error: `new NotFoundError({ cause: "no such pet" })`, `thrown instanceof NotFoundError`. */
export interface RpcErrorClass<Name extends string, Code extends number, Data = unknown> {
  /** The name of the error: `NotFound`. */
  readonly name: string;
  new (options?: RpcErrorOptions<Data>): RpcError<Name, Code, Data>;
  readonly prototype: RpcError<Name, Code, Data>;
  /** Whether a thrown value is an `RpcError` with the code of this error. */
  [Symbol.hasInstance](value: unknown): value is RpcError<Name, Code, Data>;
}

/**
 * Creates the class of an error. Its `instanceof` compares code and name, because other schemas may use the same code: a
 * client throws plain `RpcError`s and references no class, so a bundle contains only the classes that its code uses.
 * Generated code calls this at module level, so it must have no side effects.
 */
export function rpcErrorClass<Name extends string, Code extends number, Data = unknown>(
  info: ErrorInfo<Name, Code>,
): RpcErrorClass<Name, Code, Data> {
  const classes = {
    // The key becomes the name of the class.
    [info.name]: class extends RpcError<Name, Code, Data> {
      constructor(options?: RpcErrorOptions<Data>) {
        super({ ...info, ...options });
      }

      static override [Symbol.hasInstance](value: unknown): value is RpcError<Name, Code, Data> {
        return value instanceof RpcError && value.code === info.code && value.name === info.name;
      }
    },
  };
  return classes[info.name] as RpcErrorClass<Name, Code, Data>;
}

/** The class of an error of the protocol, and its type. */
export type ErrorClass<Info extends ErrorInfo> = RpcErrorClass<Info["name"], Info["code"]>;
export type ErrorOf<Info extends ErrorInfo> = RpcError<Info["name"], Info["code"]>;
