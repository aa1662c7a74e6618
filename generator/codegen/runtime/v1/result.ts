/** Outcomes as values, for callers who want the compiler to ask for every error. */

import { RpcError } from "./errors.ts";
import { hasOwn } from "./own-property.ts";

/** What a method gives: its answer to be awaited, and in its type what it may fail with. */
export interface Answer<Value, Failure extends RpcError> extends Promise<Value>, Failing<Failure> {}

/** In its type what it may fail with. */
export interface Failing<Failure extends RpcError> {
  readonly [failure]?: Failure;
}

declare const failure: unique symbol;

/** What a method may fail with: `FailureOf<typeof getOrders>`. */
export type FailureOf<Of extends (...args: never) => Failing<RpcError>> =
  ReturnType<Of> extends Failing<infer Failure> ? Failure : never;

/** What a call came to. */
export type Result<Value, Failure extends RpcError = RpcError> =
  | { readonly ok: true; readonly value: Value; readonly error?: never }
  | { readonly ok: false; readonly error: Failure; readonly value?: never };

/** `await result(getOrders(client, req))`. What is no `RpcError`, as a mistake in an interceptor, is still thrown. */
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

/** One function an outcome: `ok`, every error by its name, and `_` for those that are not named. */
export type Cases<Value, Failure extends RpcError> = {
  readonly [Name in OutcomeName<Failure>]?: (outcome: OutcomeValue<Name, Value, Failure>) => unknown;
};

type OutcomeName<Failure extends RpcError> = "ok" | "_" | Failure["name"];

type OutcomeValue<Name, Value, Failure extends RpcError> = Name extends "ok"
  ? Value
  : Name extends "_"
    ? Failure
    : Extract<Failure, { readonly name: Name }>;

/** Every outcome has a case, and every case an outcome: each that is not so becomes the text of the compiler's complaint. */
type ExhaustiveCases<Names, Failure extends RpcError> = {
  readonly [Name in MissingCases<Names, Failure>]: (outcome: never) => unknown;
} & {
  readonly [Name in Exclude<Names, OutcomeName<Failure>> & string]: `${Name} is no error of this method`;
};

type MissingCases<Names, Failure extends RpcError> = Exclude<
  "_" extends Names ? "ok" : "ok" | Failure["name"],
  Names
>;

/** What any of the cases may answer; nothing where they do not compile, so that the compiler complains of that alone. */
type CaseResult<Case> = undefined extends Case
  ? never
  : Case extends (outcome: never) => infer Answer
    ? Answer
    : never;

/**
 * Runs the case that fits: `match(await result(getOrders(client, req)), { ok: ({ orders }) => …, NotFound: () => …, _: (error) => … })`.
 * Without `_` every error of the method must be there. An error that a newer server made up fits `_` alone; without it, it is thrown.
 */
export function match<Value, Failure extends RpcError, Given extends Cases<Value, Failure>>(
  outcome: Result<Value, Failure>,
  cases: Given & ExhaustiveCases<keyof Given, Failure>,
): CaseResult<Given[keyof Given]> {
  const table: CaseTable<CaseResult<Given[keyof Given]>> = cases as never;
  if (outcome.ok) return table.ok(outcome.value);
  const { error } = outcome;
  // The name is the server's word: it must not reach the other cases, nor what every object has.
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
