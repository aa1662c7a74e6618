/** Converts timestamps between JSON and Date. */
import { dateOf, isDate } from "./date.ts";
import { mismatchError, type ValuePath } from "./shape.ts";

/**
 * Reads `"2025-01-31T12:00:00.123456789Z"` as a Date, truncated to milliseconds, and writes a Date as
 * `"2025-01-31T12:00:00.123Z"`.
 */
export function asDate(value: unknown, at: ValuePath, isRequest: boolean): unknown {
  if (isRequest) {
    if (isDate(value)) return value.toISOString();
    throw mismatchError(at, "a valid Date in the years 0000 to 9999", value);
  }
  if (value === null) return value;
  const date = typeof value === "string" ? dateOf(value) : undefined;
  if (date === undefined || Number.isNaN(date.getTime()))
    throw mismatchError(at, "an RFC 3339 timestamp", value);
  return date;
}
