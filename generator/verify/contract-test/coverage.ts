import type { PlannedMethod } from "../../codegen/plan/plan.ts";
import type { Send, TestCall, TestResponse } from "./call.ts";
import type { ResponseCheck } from "./checkers.ts";

/** An error that a method returned to valid requests. */
export interface ReturnedError {
  readonly name: string;
  readonly status: number;
}

/** A method whose handler was never reached. */
export interface UnreachedMethod {
  /** `Shop.GetOrder`. */
  readonly method: string;
  /** The errors that the calls got; empty if there was no call. */
  readonly errors: readonly ReturnedError[];
  /** A field for which no valid value was found: `Order.code`. */
  readonly invalid?: string;
}

/** A method that returned no successful response. */
export interface MethodWithoutSuccess {
  readonly method: string;
  readonly errors: readonly ReturnedError[];
}

interface Outcome {
  isReached: boolean;
  hasResponse: boolean;
  invalid?: string;
  readonly errors: Map<string, ReturnedError>;
}

/** Records the outcome of valid requests, so that a run that reached no handler does not look like a success. */
export class Coverage {
  readonly #outcomes: ReadonlyMap<string, Outcome>;

  /** `methods`: all methods that the run should call. */
  constructor(methods: Iterable<string>) {
    this.#outcomes = new Map(
      [...methods].map((method) => [method, { isReached: false, hasResponse: false, errors: new Map() }]),
    );
  }

  /** `isFromHandler`: the error is about the values of the request, even if its status is 401, as for a wrong password. */
  note(method: string, { value, error, violation }: ResponseCheck, isFromHandler: boolean): void {
    const outcome = this.#outcomes.get(method);
    if (outcome === undefined) return;
    // A violation is reported as a finding of the method.
    if (value !== undefined || violation !== undefined) outcome.hasResponse = true;
    if (error !== undefined) outcome.errors.set(error.name, error);
    if (
      value !== undefined ||
      violation !== undefined ||
      isFromHandler ||
      (error !== undefined && !isRejectedBeforeHandler(error))
    )
      outcome.isReached = true;
  }

  /** Notes that no valid value of a field was found. */
  noteInvalid(method: string, field: string): void {
    const outcome = this.#outcomes.get(method);
    if (outcome !== undefined) outcome.invalid = field;
  }

  /** Whether a call of the method succeeded. */
  hasResponse(method: string): boolean {
    return this.#outcomes.get(method)?.hasResponse === true;
  }

  get unreached(): readonly UnreachedMethod[] {
    return this.#select(({ isReached }) => !isReached);
  }

  get onlyErrors(): readonly MethodWithoutSuccess[] {
    return this.#select(({ isReached, hasResponse, errors }) => isReached && !hasResponse && errors.size > 0);
  }

  #select(isWanted: (outcome: Outcome) => boolean): readonly UnreachedMethod[] {
    return [...this.#outcomes]
      .filter(([, outcome]) => isWanted(outcome))
      .map(([method, { errors, invalid }]) => ({
        method,
        ...(errors.size === 0 && invalid !== undefined ? { invalid } : {}),
        errors: [...errors.values()].map(({ name, status }) => ({ name, status })),
      }));
  }
}

/** Missing or rejected credentials, an unknown path or HTTP method, a rate limit, an overloaded host. */
const rejectedBeforeHandler: ReadonlySet<number> = new Set([401, 403, 405, 429, 503]);

/** WebrpcBadRoute: the host has no method at the path. */
export const badRoute = -2;

/** WebrpcRequestFailed: the mock returns it for a missing credential if the method has no error with HTTP 401 or 403. */
const requestFailed = -1;

function isRejectedBeforeHandler({ code, status }: NonNullable<ResponseCheck["error"]>): boolean {
  return rejectedBeforeHandler.has(status) || code === badRoute || code === requestFailed;
}

/** Whether a status means that the server does not accept the credential. */
export function isRefusal(status: number): boolean {
  return status === 401 || status === 403;
}

/** Notices when a call, such as a log-out, makes the server refuse the credential of the test. */
export class Session {
  readonly #send: Send;
  /** An accepted call. Repeating it shows whether the credential is still accepted. */
  #probe: { readonly call: TestCall; readonly isReadOnly: boolean } | undefined;
  /** The last method that succeeded and may have changed something, since the probe was accepted. */
  #suspect: string | undefined;
  #endedBy: string | undefined;

  constructor(send: Send) {
    this.#send = send;
  }

  /** `Auth.Logout`: the method after which the credential was refused. */
  get endedBy(): string | undefined {
    return this.#endedBy;
  }

  async note(
    name: string,
    { annotations }: PlannedMethod,
    call: TestCall,
    { status }: TestResponse,
  ): Promise<void> {
    if (call.withoutCredentials === true || this.#endedBy !== undefined) return;
    const isReadOnly = annotations.has("readonly");
    if (status === 200 && !isReadOnly) this.#suspect = name;
    if (annotations.has("public")) return;
    if (status === 200 && (this.#probe === undefined || (isReadOnly && !this.#probe.isReadOnly)))
      this.#probe = { call, isReadOnly };
    if (!isRefusal(status) || this.#probe === undefined || this.#suspect === undefined) return;
    const again = await this.#send(this.#probe.call);
    if (isRefusal(again.status)) this.#endedBy = this.#suspect;
    this.#suspect = undefined;
  }
}
