/** SQL that writes a column of type timestamptz as RFC 3339 in UTC, whatever the session's time zone is: `2025-01-31T12:00:00.250Z`. */
export function utc(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** The same with all that is stored, for who compares it or gives it back: microseconds, trailing zeros dropped, `2025-01-31T12:00:00.5Z`. */
export function utcExact(column: string): string {
  return `rtrim(rtrim(to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z'`;
}
