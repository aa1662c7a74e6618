/**
 * Bigints that are text on the wire, told from those that are numbers there. Generated code names the places where they stand in a
 * request. What is written is a copy: a request belongs to its caller.
 */

/** `123n` → `"123"`. */
export function writeBigint(value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

/** An object with some of its fields written. */
export function writeFields(value: unknown, fields: Readonly<Record<string, Write>>): unknown {
  if (typeof value !== "object" || value === null) return value;
  const written: Record<string, unknown> = { ...value };
  for (const [key, write] of Object.entries(fields)) {
    if (Object.hasOwn(written, key)) written[key] = write(written[key]);
  }
  return written;
}

/** A list of what `write` writes. */
export function writeList(write: Write): Write {
  return (value) => (Array.isArray(value) ? value.map(write) : value);
}

/** A map to what `write` writes. */
export function writeMap(write: Write): Write {
  return (value) =>
    writeFields(value, Object.fromEntries(Object.keys(value ?? {}).map((key) => [key, write])));
}

export type Write = (value: unknown) => unknown;
