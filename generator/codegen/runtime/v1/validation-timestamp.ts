/** Timestamps as text, in the RFC 3339 profile that Go uses. */
const timestamp =
  /^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:[.][0-9]{1,9})?(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$/;

/**
 * Whether a value is an RFC 3339 timestamp with up to 9 fraction digits and any offset: `2024-02-29T12:00:00.5+02:00`.
 * The day must exist, and `T` and `Z` are upper case, as in Go. Leap seconds are rejected: neither Go's `time.Time` nor
 * JavaScript's `Date` can represent `23:59:60`.
 */
function isTimestamp(value: unknown): value is string {
  return typeof value === "string" && timestamp.test(value) && isRealDay(value);
}

/** Whether a value is a timestamp in UTC, which ends with `Z`. Responses and decoded requests use this form. */
export function isUtcTimestamp(value: unknown): value is string {
  return isTimestamp(value) && endsInZ(value);
}

/**
 * Converts a timestamp to UTC and keeps its fraction digits: `2025-01-31T12:00:00.50+02:00` →
 * `2025-01-31T10:00:00.50Z`. Returns any other value unchanged, as well as timestamps that are outside of the years
 * 0000 to 9999 in UTC, which RFC 3339 cannot represent.
 */
export function utcOf(value: unknown): unknown {
  if (typeof value !== "string" || endsInZ(value) || !isTimestamp(value)) return value;
  const [hours, minutes] = value.slice(-5).split(":");
  const minutesEast = (Number(hours) * 60 + Number(minutes)) * (value.at(-6) === "-" ? -1 : 1);
  const local = Date.parse(`${value.slice(0, 19)}Z`);
  const utc = new Date(local - minutesEast * 60_000).toISOString();
  // Other years have a sign and six digits.
  return utc.length === 24 ? `${utc.slice(0, 19)}${value.slice(19, -6)}Z` : value;
}

function endsInZ(text: string): boolean {
  return text.charCodeAt(text.length - 1) === 0x5a;
}

const monthsOf30Days: readonly string[] = ["04", "06", "09", "11"];

/** Expects text in the form of a timestamp. */
function isRealDay(text: string): boolean {
  const tens = text.charCodeAt(8) - 0x30;
  if (tens < 2) return true;
  const day = tens * 10 + text.charCodeAt(9) - 0x30;
  if (day <= 28) return true;
  const month = text.slice(5, 7);
  if (month === "02") return day === 29 && isLeapYear(Number(text.slice(0, 4)));
  return day <= 30 || !monthsOf30Days.includes(month);
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}
