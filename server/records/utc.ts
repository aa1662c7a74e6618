/** SQL that writes a column of type timestamptz as RFC 3339 in UTC: microseconds, trailing zeros dropped, as `2025-01-31T12:00:00.5Z`. */
export function utc(column: string): string {
  return `rtrim(rtrim(to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z'`;
}
