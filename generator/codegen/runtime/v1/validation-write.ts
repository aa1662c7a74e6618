/** Parts of an answer on their way to `JSON.stringify`. A handler may answer an object that it keeps, so nothing is changed in place. */
import { isDate } from "./date.ts";
import { type Fields, isList, isObject, set } from "./validation-object.ts";

/** Every item of a list, written. What is no list stays, since answers are not always checked. */
export function writeItems(value: unknown, write: (item: unknown) => unknown): unknown {
  return isList(value) ? value.map((item) => write(item)) : value;
}

/** Every value of a map, written. */
export function writeEntries(value: unknown, write: (item: unknown) => unknown): unknown {
  if (!isObject(value)) return value;
  const written: Fields = {};
  for (const key of Object.keys(value)) set(written, key, write(value[key]));
  return written;
}

/** bigint → decimal text. */
export function writeBigint(value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

/** A Date → text. Throws for one that RFC 3339 cannot write. */
export function writeDate(value: unknown): unknown {
  if (value === undefined || value === null) return value;
  if (!isDate(value))
    throw new TypeError("a timestamp of the response is no valid Date of the years 0000 to 9999");
  return value.toISOString();
}
