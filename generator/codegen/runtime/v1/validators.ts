/** What generated validators are to the server's core. */
import type { Issues } from "./issue.ts";

/** By name of the service. */
export type Validators = Readonly<Record<string, ServiceValidators>>;

/** The validators of one service, loaded with the first call that needs them. */
export interface ServiceValidators {
  readonly requests: () => Promise<{ readonly requests: RequestValidators }>;
  readonly responses: () => Promise<{ readonly responses: ResponseValidators }>;
  /** An answer of some method is written by a function. Without it they are loaded only to be checked. */
  readonly isWriting?: boolean;
}

/** By path of the method: decodes other names, other forms and defaults in place, then checks. */
export type RequestValidators = Readonly<Record<string, Check>>;

/** By path of the method. */
export type ResponseValidators = Readonly<Record<string, ResponseValidator>>;

/** The faults of a body; undefined if it has none. */
export type Check = (value: unknown) => Issues | undefined;

export interface ResponseValidator {
  /** Of a reply as its handler answered it. Called only if responses are checked. */
  readonly check: Check;
  /** The reply as it goes over the wire: second names, null where the schema wants it. */
  readonly write?: (value: unknown) => unknown;
}
