/**
 * Shapes describe which values of a body differ between JSON and TypeScript, in requests and in responses alike. Generated
 * code contains one shape per struct.
 */
import { issue, pointerOf } from "./issue.ts";

/**
 * A conversion, the shapes of an object's fields by name, or `[inner]` for the items of a list. `[]` is a list whose
 * items need no conversion.
 */
export type Shape = Convert | readonly Shape[] | { readonly [field: string]: Shape };

/**
 * Returns the converted value: from TypeScript to JSON if `isRequest`, otherwise from JSON to TypeScript. In requests, it is
 * not called for null and undefined. Throws a `mismatchError`.
 */
export type Convert = (value: unknown, at: ValuePath, isRequest: boolean) => unknown;

/**
 * The path of the value being converted. One array is shared by the whole walk: each step is pushed before its value is
 * converted, and popped afterwards.
 */
export type ValuePath = (string | number)[];

/** Creates the error for a value that does not match its type. `msg` and `issues` become those of the `RpcError`. */
export function mismatchError(at: ValuePath, expected: string, value: unknown): Error {
  const fault = issue(at, expected, describe(value));
  return Object.assign(new TypeError(), {
    msg: `${pointerOf(at)}: ${fault.message}`,
    issues: [fault],
    // Not the body, which may contain secrets.
    cause: undefined,
  });
}

/** Describes a value as servers do: `"0x12"`, `12`, `an object`. */
function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 60));
  if (value === null || typeof value !== "object" || value instanceof Date) return String(value);
  return Array.isArray(value) ? `a list of ${value.length}` : "an object";
}

/** Accepts integers within ±(2^53 - 1). Beyond that, a number loses digits. */
export function safeInteger(value: unknown, at: ValuePath): unknown {
  if (value === null || Number.isSafeInteger(value)) return value;
  throw mismatchError(at, "an integer within ±(2^53 - 1)", value);
}
