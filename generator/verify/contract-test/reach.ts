import type { Verdict } from "./judge.ts";

/** An error that a method returned to valid requests. */
export interface ReturnedError {
  readonly name: string;
  readonly status: number;
}

/** A method whose handler no call got to. */
export interface Unreached {
  /** `Shop.GetOrder`. */
  readonly method: string;
  /** What turned the calls away; empty if there was no time for a call. */
  readonly errors: readonly ReturnedError[];
}

/** A method of which no successful response was seen. */
export interface OnlyErrors {
  readonly method: string;
  readonly errors: readonly ReturnedError[];
}

interface Outcome {
  isReached: boolean;
  hasResponse: boolean;
  readonly errors: Map<string, ReturnedError>;
}

/** Records what became of valid requests, so that a run that tested nothing does not pass for one that found nothing. */
export class Reach {
  readonly #outcomes: ReadonlyMap<string, Outcome>;

  /** `methods`: all that the run is meant to call. */
  constructor(methods: Iterable<string>) {
    this.#outcomes = new Map(
      [...methods].map((method) => [method, { isReached: false, hasResponse: false, errors: new Map() }]),
    );
  }

  note(method: string, { value, error, fault }: Verdict): void {
    const outcome = this.#outcomes.get(method);
    if (outcome === undefined) return;
    if (value !== undefined) outcome.hasResponse = true;
    if (error !== undefined) outcome.errors.set(error.name, error);
    // A fault is reported as a finding of the method.
    if (value !== undefined || fault !== undefined || (error !== undefined && !isTurnedAway(error)))
      outcome.isReached = true;
  }

  get unreached(): readonly Unreached[] {
    return this.#select(({ isReached }) => !isReached);
  }

  get onlyErrors(): readonly OnlyErrors[] {
    return this.#select(({ isReached, hasResponse, errors }) => isReached && !hasResponse && errors.size > 0);
  }

  #select(isWanted: (outcome: Outcome) => boolean): readonly OnlyErrors[] {
    return [...this.#outcomes]
      .filter(([, outcome]) => isWanted(outcome))
      .map(([method, { errors }]) => ({
        method,
        errors: [...errors.values()].map(({ name, status }) => ({ name, status })),
      }));
  }
}

/** Missing or refused credentials, an unknown path or verb, a rate limit, an overloaded host. */
const turnedAway: ReadonlySet<number> = new Set([401, 403, 405, 429, 503]);

/** WebrpcBadRoute: the host has no method at the path. */
export const badRoute = -2;

function isTurnedAway({ code, status }: NonNullable<Verdict["error"]>): boolean {
  return turnedAway.has(status) || code === badRoute;
}
