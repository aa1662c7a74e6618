/** Bigints in JSON: decimal text on the wire. */
import { mismatchError, type ValuePath } from "./shape.ts";

/** Like `JSON.stringify`, but prints bigints as decimal text. */
export function printBigints(value: unknown): string {
  return JSON.stringify(value, (_key, part) => (typeof part === "bigint" ? String(part) : part));
}

/**
 * Reads `"123"` as `123n`. Accepts safe integers, too, and keeps null, which lenient servers send for a missing value.
 */
export function readBigint(value: unknown, at: ValuePath): unknown {
  if (value === null || typeof value === "bigint") return value;
  if (typeof value === "string" && /^-?[0-9]+$/.test(value)) return BigInt(value);
  if (Number.isSafeInteger(value)) return BigInt(value as number);
  throw mismatchError(at, "an integer", value);
}

/** Reads a float. `parseInt64Json` returns a bigint for a long number without a fraction or an exponent. */
export function readFloat(value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}
