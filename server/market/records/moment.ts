const form =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,9})?(Z|[+-]([0-9]{2}):[0-9]{2})$/;

/** Largest offset from UTC that Postgres reads, in whole hours. */
const offsetHoursMax = 15;

/** Whether a text is RFC 3339 and a moment that Postgres can hold: a real day, of year 1 or later. */
export function isMoment(text: string): boolean {
  const [, day = "", , , offsetHours = "0"] = form.exec(text) ?? [];
  if (day === "" || day.startsWith("0000") || Number(offsetHours) > offsetHoursMax) return false;
  // JavaScript takes February 30 for March 2.
  return !Number.isNaN(Date.parse(text)) && new Date(day).toISOString().startsWith(day);
}
