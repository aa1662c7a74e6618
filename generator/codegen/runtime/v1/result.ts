/** Call results as values, so that the compiler can require a case for every error. */

import { RpcError } from "./errors.ts";
import { hasOwn } from "./own-property.ts";

/** The promise that a method returns. Its type includes the errors that the method may fail with. */
export interface Answer<Value, Failure extends RpcError> extends Promise<Value>, Failing<Failure> {}

/** Carries the possible errors of a call in its type. */
export interface Failing<Failure extends RpcError> {
  readonly [failure]?: Failure;
}

declare const failure: unique symbol;

/** The errors that a method may fail with: `FailureOf<typeof getOrders>`. */
export type FailureOf<Of extends (...args: never) => Failing<RpcError>> =
  ReturnType<Of> extends Failing<infer Failure> ? Failure : never;

/** The result of a call: a value or an error. */
export type Result<Value, Failure extends RpcError = RpcError> =
  | { readonly ok: true; readonly value: Value; readonly error?: never }
  | { readonly ok: false; readonly error: Failure; readonly value?: never };

/**
 * Returns errors instead of throwing them: `await result(getOrders(client, req))`. Errors that are not an `RpcError` of
 * this client are still thrown, such as bugs in an interceptor, or errors of a client generated from another schema.
 */
export async function result<Value, Failure extends RpcError>(
  answer: Answer<Value, Failure>,
): Promise<Result<Value, Failure>> {
  try {
    return { ok: true, value: await answer };
  } catch (error) {
    if (error instanceof RpcError) return { ok: false, error: error as Failure };
    throw error;
  }
}

/** A function for each outcome: `ok`, every error by its name, and `_` for all other errors. */
export type Cases<Value, Failure extends RpcError> = {
  readonly [Name in OutcomeName<Failure>]?: (outcome: OutcomeValue<Name, Value, Failure>) => unknown;
};

type OutcomeName<Failure extends RpcError> = "ok" | "_" | Failure["name"];

type OutcomeValue<Name, Value, Failure extends RpcError> = Name extends "ok"
  ? Value
  : Name extends "_"
    ? Failure
    : Extract<Failure, { readonly name: Name }>;

/** Requires a case for every outcome and rejects unknown cases. The types become part of the compiler's message. */
type ExhaustiveCases<Names, Failure extends RpcError> = {
  readonly [Name in MissingCases<Names, Failure>]: (outcome: never) => unknown;
} & {
  readonly [Name in Exclude<Names, OutcomeName<Failure>> & string]: `${Name} is not an error of this method`;
};

type MissingCases<Names, Failure extends RpcError> = Exclude<
  "_" extends Names ? "ok" : "ok" | Failure["name"],
  Names
>;

/** What the cases may return. `never` if they do not compile, so that the compiler reports only one error. */
type CaseResult<Case> = undefined extends Case
  ? never
  : Case extends (outcome: never) => infer Answer
    ? Answer
    : never;

/**
 * Runs the matching case:
 * `match(await result(getOrders(client, req)), { ok: ({ orders }) => …, NotFound: () => …, _: (error) => … })`.
 *
 * Without `_`, the compiler requires a case for every error of the method. An error that is unknown to this client,
 * because the server is newer, runs `_`; without `_` it is thrown.
 */
export function match<Value, Failure extends RpcError, Given extends Cases<Value, Failure>>(
  outcome: Result<Value, Failure>,
  cases: Given & ExhaustiveCases<keyof Given, Failure>,
): CaseResult<Given[keyof Given]> {
  const table: CaseTable<CaseResult<Given[keyof Given]>> = cases as never;
  if (outcome.ok) return table.ok(outcome.value);
  const { error } = outcome;
  // The server chooses the name. It must match neither `ok` nor an inherited property.
  const isNamed = error.name !== "ok" && hasOwn(table, error.name);
  const run = isNamed ? table[error.name] : table._;
  if (!run) throw error;
  return run(error);
}

interface CaseTable<Answer> {
  readonly [name: string]: ((outcome: unknown) => Answer) | undefined;
  readonly ok: (value: unknown) => Answer;
  readonly _: ((error: unknown) => Answer) | undefined;
}
