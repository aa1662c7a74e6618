const pattern =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,9})?(Z|[+-]([0-9]{2}):[0-9]{2})$/;

/** Largest UTC offset that Postgres accepts, in whole hours. */
const maxOffsetHours = 15;

/** Whether a text is an RFC 3339 timestamp that Postgres can store: an existing day, in year 1 or later. */
export function isTimestamp(text: string): boolean {
  const [, day = "", , , offsetHours = "0"] = pattern.exec(text) ?? [];
  if (day === "" || day.startsWith("0000") || Number(offsetHours) > maxOffsetHours) return false;
  // JavaScript parses February 30 as March 2.
  return !Number.isNaN(Date.parse(text)) && new Date(day).toISOString().startsWith(day);
}
