/**
 * Converts parts of a response for `JSON.stringify`. Nothing is changed in place, because a handler may reuse its
 * objects.
 */
import { isDate } from "./date.ts";
import { isList } from "./validation-items.ts";
import { type Fields, isObject } from "./validation-object.ts";
import { set } from "./validation-property.ts";

/** Converts the items of a list. Returns other values unchanged, because responses are not always checked. */
export function writeItems(value: unknown, write: (item: unknown) => unknown): unknown {
  return isList(value) ? value.map((item) => write(item)) : value;
}

/** Converts the values of a map. */
export function writeEntries(value: unknown, write: (item: unknown) => unknown): unknown {
  if (!isObject(value)) return value;
  const written: Fields = {};
  for (const key of Object.keys(value)) set(written, key, write(value[key]));
  return written;
}

/** Writes a bigint as decimal text. */
export function writeBigint(value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

/** Writes a Date as text. Throws if RFC 3339 cannot represent it. */
export function writeDate(value: unknown): unknown {
  if (value === undefined || value === null) return value;
  if (!isDate(value))
    throw new TypeError("a timestamp in the response is not a valid Date in the years 0000 to 9999");
  return value.toISOString();
}
