/**
 * Formats an array for Postgres from values without commas, quotes, blanks, backslashes and braces: numbers, hex, enum names. Ten
 * times as fast as the driver, which looks at each character.
 */
export function plainArray(values: readonly (string | number | bigint | null | undefined)[]): string {
  let text = "{";
  for (let index = 0; index < values.length; index++) {
    if (index > 0) text += ",";
    text += values[index] ?? "NULL";
  }
  return `${text}}`;
}

/** Formats an array of any texts, quoting those that need it. */
export function textArray(values: readonly (string | bigint)[]): string {
  return plainArray(
    values.map((value) => (typeof value === "bigint" || plain.test(value) ? value : quoted(value))),
  );
}

/** Numbers and hex need no quotes, and cannot be the word NULL. */
const plain = /^[0-9][0-9a-z]*$/;

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}
