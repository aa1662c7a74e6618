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
