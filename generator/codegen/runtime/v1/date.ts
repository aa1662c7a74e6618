/** Timestamps as Dates. */

/** Whether a value is a Date that RFC 3339 can represent: valid, and in the years 0000 to 9999. */
export function isDate(value: unknown): value is Date {
  return value instanceof Date && value.getTime() >= first && value.getTime() <= last;
}

/** 0000-01-01T00:00:00Z. */
const first = -62_167_219_200_000;
/** 9999-12-31T23:59:59.999Z. */
const last = 253_402_300_799_999;

/** Converts the text of a timestamp to a Date, truncated to milliseconds. */
export function dateOf(text: string): Date {
  return new Date(text.replace(/([.][0-9]{3})[0-9]+/, "$1"));
}
