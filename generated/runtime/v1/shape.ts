/**
 * Where in a body something is done between JSON and the caller: what JSON alone cannot carry, and what it would carry wrong. Generated
 * code prints shapes.
 */
import type { Issue } from "./issue.ts";

/** In the fields of an object by name, or with `[inner]`, one shape at most, in each item of a list. `[]` is a list with nothing to do inside. */
export type Shape = Convert | readonly Shape[] | { readonly [field: string]: Shape };

/** Returns the value that stands at a place instead. Throws a `misfit`. */
export type Convert = (value: unknown, at: string) => unknown;

/** What stands at a place, a JSON Pointer, and must not. `msg` and `issues` are those of the `RpcError` that it becomes. */
export function misfit(path: string, expected: string, value: unknown): Error {
  const found = `${value}`.slice(0, 60);
  const issues: readonly Issue[] = [{ path, expected, found }];
  return Object.assign(new TypeError(), { msg: `${path}: expected ${expected}, found ${found}`, issues });
}

/** An integer that is a number in TypeScript: past ±(2^53 - 1) its digits are lost. */
export function safeInteger(value: unknown, at: string): unknown {
  if (value === null || Number.isSafeInteger(value)) return value;
  throw misfit(at, "an integer within ±(2^53 - 1)", value);
}

/** The step of a JSON Pointer to an entry of a map. */
export function entryAt(at: string, key: string): string {
  return `${at}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
