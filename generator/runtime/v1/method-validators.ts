/** What generated validators are to the server's core. */
import type { Issue } from "./issue.ts";

/** By path of the method. */
export type Validators = Readonly<Record<string, MethodValidators>>;

/** Each reads or prepares a body in place and answers its faults, undefined if it has none. */
export interface MethodValidators {
  /** Decodes other names, other forms and defaults, then checks. */
  readonly readRequest?: (value: unknown) => readonly Issue[] | undefined;
  /** Checks a reply as its handler answered it. Called only if responses are checked. */
  readonly checkResponse?: (value: unknown) => readonly Issue[] | undefined;
  /** The reply as it goes over the wire: second names, null where the schema wants it. */
  readonly writeResponse?: (value: unknown) => unknown;
}
