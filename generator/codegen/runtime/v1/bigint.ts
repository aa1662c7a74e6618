/** Bigints in JSON are decimal text. */
import { mismatchError, type ValuePath } from "./shape.ts";

/** `JSON.stringify`, with bigints as text. */
export function printBigints(value: unknown): string {
  return JSON.stringify(value, (_key, part) => (typeof part === "bigint" ? String(part) : part));
}

/** `"123"` → `123n`. An integer number is read too as long as it has kept all its digits. Lenient servers have null where nothing is. */
export function readBigint(value: unknown, at: ValuePath): unknown {
  if (value === null || typeof value === "bigint") return value;
  if (typeof value === "string" && /^-?[0-9]+$/.test(value)) return BigInt(value);
  if (Number.isSafeInteger(value)) return BigInt(value as number);
  throw mismatchError(at, "an integer", value);
}

/** A number with a fraction or an exponent in TypeScript: `parseWide` gives a bigint for one that has many digits and neither. */
export function readFloat(value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}
