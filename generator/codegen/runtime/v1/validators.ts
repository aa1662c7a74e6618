/** The interface between generated validators and the server. */
import type { Issues } from "./issue.ts";

/** By service name. */
export type Validators = Readonly<Record<string, ServiceValidators>>;

/** The validators of one service, loaded on its first call. */
export interface ServiceValidators {
  readonly requests: () => Promise<{ readonly requests: RequestValidators }>;
  readonly responses: () => Promise<{ readonly responses: ResponseValidators }>;
  /**
   * Some responses of the service are converted before JSON.stringify. Otherwise, response validators are loaded only
   * for checks.
   */
  readonly isWriting?: boolean;
}

/** By path. Each decodes aliases, other accepted forms and defaults in place, then checks the request. */
export type RequestValidators = Readonly<Record<string, Check>>;

/** By path. */
export type ResponseValidators = Readonly<Record<string, ResponseValidator>>;

/** Returns the issues of a body; undefined if it is valid. */
export type Check = (value: unknown) => Issues | undefined;

/** The functions for the responses of a method. */
export interface ResponseValidator {
  /** Checks a response as the handler returned it. Called only if `checkResponses` is set. */
  readonly check: Check;
  /** Converts a response for JSON.stringify: additional names, null for absent values, bigints and Dates. */
  readonly write?: (value: unknown) => unknown;
}
