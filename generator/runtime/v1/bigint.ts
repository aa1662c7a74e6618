/** Bigints in JSON are decimal text. Generated code names the places where they stand in an answer. */

/** `JSON.stringify`, with bigints as text. */
export function printBigints(value: unknown): string {
  return JSON.stringify(value, (_key, part) => (typeof part === "bigint" ? String(part) : part));
}

/** `"123"` → `123n`. An integer number is read too as long as it has kept all its digits. */
export function readBigint(value: unknown): bigint {
  if (typeof value === "bigint") return value;
  if (typeof value === "string" && /^-?[0-9]+$/.test(value)) return BigInt(value);
  if (Number.isSafeInteger(value)) return BigInt(value as number);
  throw new TypeError("not a bigint");
}

/** Reads an object in place. A field that is absent or null stays so. */
export function readFields(value: unknown, fields: Readonly<Record<string, Read>>): unknown {
  if (typeof value !== "object") throw new TypeError("not an object");
  const object = value as Record<string, unknown>;
  for (const [key, read] of Object.entries(fields)) {
    if (Object.hasOwn(object, key)) object[key] = orNull(read)(object[key]);
  }
  return object;
}

/** A list of what `read` reads. */
export function readList(read: Read): Read {
  return (value) => (value as readonly unknown[]).map(orNull(read));
}

/** A map to what `read` reads. */
export function readMap(read: Read): Read {
  return (value) => {
    const map = value as Record<string, unknown>;
    return readFields(map, Object.fromEntries(Object.keys(map).map((key) => [key, read])));
  };
}

export type Read = (value: unknown) => unknown;

/** Answers of lenient servers have null where nothing is. */
function orNull(read: Read): Read {
  return (value) => (value === null ? null : read(value));
}
