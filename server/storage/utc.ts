/** SQL that writes a column of type timestamptz as RFC 3339 in UTC, whatever the session's time zone is: `2025-01-31T12:00:00.250Z`. */
export function utc(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
