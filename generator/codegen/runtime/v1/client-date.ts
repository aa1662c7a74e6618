/** Converts timestamps between JSON and Date. */
import { dateOf, isDate } from "./date.ts";
import { mismatchError, type ValuePath } from "./shape.ts";

/** Reads `"2025-01-31T12:00:00.123456789Z"` as a Date, truncated to milliseconds. */
export function readDate(value: unknown, at: ValuePath): unknown {
  if (value === null) return value;
  const date = typeof value === "string" ? dateOf(value) : undefined;
  if (date === undefined || Number.isNaN(date.getTime()))
    throw mismatchError(at, "an RFC 3339 timestamp", value);
  return date;
}

/** Writes a Date as `"2025-01-31T12:00:00.123Z"`. */
export function writeDate(value: unknown, at: ValuePath): unknown {
  if (isDate(value)) return value.toISOString();
  throw mismatchError(at, "a valid Date in the years 0000 to 9999", value);
}
