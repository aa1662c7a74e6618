/** Bigints in bodies. */
import { mismatchError, type ValuePath } from "./shape.ts";

/**
 * Converts between `"123"` and `123n`. Accepts safe integers, too, and keeps null, which lenient servers send for a missing
 * value.
 */
export function asBigint(value: unknown, at: ValuePath, isRequest: boolean): unknown {
  if (isRequest) return typeof value === "bigint" ? `${value}` : value;
  if (value === null || typeof value === "bigint") return value;
  if (typeof value === "string" && /^-?[0-9]+$/.test(value)) return BigInt(value);
  if (Number.isSafeInteger(value)) return BigInt(value as number);
  throw mismatchError(at, "an integer", value);
}

/** Converts 64-bit integers, which are numbers in JSON, to bigints. `printInt64Json` prints those of requests. */
export function asInt64(value: unknown, at: ValuePath, isRequest: boolean): unknown {
  return isRequest ? value : asBigint(value, at, isRequest);
}

/** Converts a float. `parseInt64Json` returns a bigint for a long number without a fraction or an exponent. */
export function asFloat(value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}
