/** Outcomes as values, for callers who want the compiler to ask for every error. */
import type { RpcError } from "./errors.ts";

/** What a call came to. Only an error that is no `RpcError`, thrown by an interceptor of yours, is still thrown. */
export type Result<Value, Failure extends RpcError = RpcError> =
  | { readonly ok: true; readonly value: Value; readonly error?: never }
  | { readonly ok: false; readonly error: Failure; readonly value?: never };

/** One function an outcome: `ok`, every error by its name, and `_` for those that are not named. */
export type Cases<Value, Failure extends RpcError> =
  | (OkCase<Value> & { readonly [Name in Failure["name"]]: ErrorCase<Failure, Name> } & {
      readonly _?: never;
    })
  | (OkCase<Value> & { readonly [Name in Failure["name"]]?: ErrorCase<Failure, Name> } & {
      readonly _: (error: Failure) => unknown;
    });

interface OkCase<Value> {
  readonly ok: (value: Value) => unknown;
}

type ErrorCase<Failure extends RpcError, Name extends string> = (
  error: Extract<Failure, { readonly name: Name }>,
) => unknown;

/** A key that is no outcome is a mistake. */
type NoOthers<Given, Allowed extends PropertyKey> = {
  readonly [Key in Exclude<keyof Given, Allowed>]: never;
};

/** What any of the functions may answer. */
type Outcome<Given> = {
  [Key in keyof Given]: Given[Key] extends (value: never) => infer Answer ? Answer : never;
}[keyof Given];

/**
 * Runs the case that fits: `match(await getOrders.result(client, req), { ok: ({ orders }) => …, NotFound: () => …, _: (error) => … })`.
 * Without `_` every error of the method must be there. An error that a newer server made up fits `_` alone; without it, it is thrown.
 */
export function match<Value, Failure extends RpcError, Given extends Cases<Value, Failure>>(
  result: Result<Value, Failure>,
  cases: Given & NoOthers<Given, Failure["name"] | "ok" | "_">,
): Outcome<Given> {
  const table: Table<Outcome<Given>> = cases as never;
  if (result.ok) return table.ok(result.value);
  const { error } = result;
  // The name is the server's word: it must not reach the other cases, nor what every object has.
  const isNamed = error.name !== "ok" && Object.hasOwn(table, error.name);
  const run = isNamed ? table[error.name] : table._;
  if (!run) throw error;
  return run(error);
}

interface Table<Answer> {
  readonly [name: string]: ((outcome: unknown) => Answer) | undefined;
  readonly ok: (value: unknown) => Answer;
  readonly _: ((error: unknown) => Answer) | undefined;
}
