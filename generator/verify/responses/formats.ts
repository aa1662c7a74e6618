import type { Format } from "ajv";

/**
 * The most common formats of JSON Schema, checked as their RFCs describe them. Other formats, such as `hex-color`, are not checked.
 */
export const formats: Readonly<Record<string, Format>> = {
  date: isDate,
  time: (text: string) => timeForm.test(text),
  "date-time": isDateTime,
  email: (text: string) => text.length <= emailMaxLength && emailForm.test(text),
  hostname: isHostname,
  ipv4: /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.|$)){4}(?<=\d)$/,
  ipv6: (text: string) => /^[0-9a-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`),
  uri: isUri,
  url: isUri,
  uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  int32: { type: "number", validate: within(-(2 ** 31), 2 ** 31 - 1) },
  // JSON.parse rounds large numbers, so values up to 1,024 above the range pass.
  int64: { type: "number", validate: within(-(2 ** 63), 2 ** 63) },
  uint64: { type: "number", validate: within(0, 2 ** 64) },
};

const timeForm = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

/** RFC 5321, section 4.5.3.1. */
const emailMaxLength = 254;

const emailForm =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (day === undefined) return false;
  // `Date` rolls 30 February over into March.
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

function isDateTime(text: string): boolean {
  return isDate(text.slice(0, 10)) && /^t$/i.test(text.charAt(10)) && timeForm.test(text.slice(11));
}

function isHostname(text: string): boolean {
  const labels = text.split(".");
  return text.length <= 253 && labels.every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(label));
}

/** Requires a scheme, and allows only the characters of RFC 3986. */
function isUri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:(?:%[0-9a-f]{2}|[\w.~:/?#[\]@!$&'()*+,;=-])*$/i.test(text) && URL.canParse(text);
}

function within(low: number, high: number): (value: number) => boolean {
  return (value) => value >= low && value <= high;
}
