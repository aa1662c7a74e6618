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

/**
 * SQL that formats a timestamptz column as RFC 3339 in UTC, independent of the session's time zone: `2025-01-31T12:00:00.250Z`.
 */
export function utc(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/**
 * The same with full precision, for values that are compared or sent back: microseconds without trailing zeros,
 * `2025-01-31T12:00:00.5Z`.
 */
export function utcExact(column: string): string {
  return `rtrim(rtrim(to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z'`;
}

/** The same without fractions of a second, for people, as in lists of admin commands: `2025-01-31T12:00:00Z`. */
export function utcSeconds(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
}

/** Collects the parameters of a statement that is assembled from fragments. */
export class Parameters {
  readonly values: unknown[] = [];

  /** `bind(137, "bigint")` → `$1::bigint` */
  bind(value: unknown, type: string): string {
    return `$${this.values.push(value)}::${type}`;
  }
}
