/**
 * Where in a body something is done between JSON and the caller: what JSON alone cannot carry, and what it would carry wrong. Generated
 * code prints shapes.
 */
import { issue, pointerOf } from "./issue.ts";

/** In the fields of an object by name, or with `[inner]`, one shape at most, in each item of a list. `[]` is a list with nothing to do inside. */
export type Shape = Convert | readonly Shape[] | { readonly [field: string]: Shape };

/** Returns the value that stands at a place instead. Throws a `misfit`. */
export type Convert = (value: unknown, at: ValuePath) => unknown;

/** The path to the value being converted. One list serves the whole walk: each step is pushed before its value and popped after. */
export type ValuePath = (string | number)[];

/** What stands at a place and must not. `msg` and `issues` are those of the `RpcError` that it becomes. */
export function mismatchError(at: ValuePath, expected: string, value: unknown): Error {
  const fault = issue(at, expected, `${value}`.slice(0, 60));
  return Object.assign(new TypeError(), { msg: `${pointerOf(at)}: ${fault.message}`, issues: [fault] });
}

/** An integer that is a number in TypeScript: past ±(2^53 - 1) its digits are lost. */
export function safeInteger(value: unknown, at: ValuePath): unknown {
  if (value === null || Number.isSafeInteger(value)) return value;
  throw mismatchError(at, "an integer within ±(2^53 - 1)", value);
}
