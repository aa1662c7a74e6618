/**
 * The text of an array for Postgres, of values that hold no comma, quote, blank, backslash or brace: numbers, hex, names of kinds. A tenth of
 * the driver's work, which looks at each character of each value.
 */
export function plainArray(values: readonly (string | number | bigint | null | undefined)[]): string {
  let text = "{";
  for (let index = 0; index < values.length; index++) {
    if (index > 0) text += ",";
    text += values[index] ?? "NULL";
  }
  return `${text}}`;
}

/** The same of any texts: what is not plain is quoted. */
export function textArray(values: readonly (string | bigint)[]): string {
  return plainArray(
    values.map((value) => (typeof value === "bigint" || plain.test(value) ? value : quoted(value))),
  );
}

/** Numbers and hex: nothing to be quoted, and not the word NULL. */
const plain = /^[0-9][0-9a-z]*$/;

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}
