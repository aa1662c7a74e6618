/*
 * Checks of text for `+ format`, as the RFCs behind the formats of JSON Schema describe them. Each takes linear time, because
 * strangers choose the text.
 */

/** Whether a text is a day that exists: `2028-02-29` (RFC 3339, full-date). */
export function isDateText(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (day === undefined) return false;
  // `Date` rolls 30 February over into March.
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

const time = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.\d+)?(?:z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;

/** Whether a text is a time with an offset: `09:30:00Z`, `09:30:00.5+02:00` (RFC 3339, full-time). */
export function isTimeText(text: string): boolean {
  const [, hours, minutes, seconds, sign, offsetHours = 0, offsetMinutes = 0] = time.exec(text) ?? [];
  if (seconds !== "60") return seconds !== undefined;
  // Leap seconds are at the end of a day in UTC.
  const east = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === "-" ? -1 : 1);
  return (
    (Number(hours) * 60 + Number(minutes) - east + 2 * minutesPerDay) % minutesPerDay === minutesPerDay - 1
  );
}

const minutesPerDay = 24 * 60;

/** Whether a text is a date and a time: `2028-02-29T09:30:00Z` (RFC 3339, date-time). */
export function isDateTimeText(text: string): boolean {
  return isDateText(text.slice(0, 10)) && /^t$/i.test(text.charAt(10)) && isTimeText(text.slice(11));
}

const duration = /^P(?!$)(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)$/;

/** Whether a text is a duration: `P1Y2M`, `PT90M`, `P2W` (RFC 3339, appendix A). */
export function isDurationText(text: string): boolean {
  return duration.test(text);
}

/** Whether a text is a decimal number without exponent and leading zeros: `-12.50`. */
export function isDecimalText(text: string): boolean {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text);
}

/** Whether a text is a UUID in any letter case (RFC 9562). */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** RFC 5321, section 4.5.3.1. */
const emailMaxLength = 254;

/** Whether a text is an email address with a domain: `ada@example.com`. A quoted name, such as `"a b"@example.com`, is invalid. */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  const name = text.slice(0, at).split(".");
  const domain = text.slice(at + 1).split(".");
  return (
    at > 0 &&
    text.length <= emailMaxLength &&
    name.every((part) => /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+$/i.test(part)) &&
    domain.length > 1 &&
    domain.every((label) => /^(?!-)[a-z0-9-]+$/i.test(label) && !label.endsWith("-"))
  );
}

/** Whether a text is a host name of labels with at most 63 characters, and at most 253 characters (RFC 1123). */
export function isHostname(text: string): boolean {
  const labels = text.split(".");
  return text.length <= 253 && labels.every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(label));
}

/** Whether a text is an IPv4 address of four numbers without leading zeros: `192.0.2.1`. */
export function isIpv4(text: string): boolean {
  return /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/.test(text);
}

/** The longest form: eight groups, the last two as IPv4. */
const ipv6MaxLength = 45;

/** Whether a text is an IPv6 address without zone: `2001:db8::1` (RFC 4291). */
export function isIpv6(text: string): boolean {
  const [left = "", right, ...more] = text.split("::");
  if (more.length > 0 || text.length > ipv6MaxLength) return false;
  const groups = [left, right ?? ""].flatMap((half) => (half === "" ? [] : half.split(":")));
  const hasIpv4 = isIpv4(groups[groups.length - 1] ?? "") && !(right === "" && groups.length > 0);
  const plain = hasIpv4 ? groups.slice(0, -1) : groups;
  const count = plain.length + (hasIpv4 ? 2 : 0);
  return (
    plain.every((group) => /^[0-9a-f]{1,4}$/i.test(group)) && (right === undefined ? count === 8 : count < 8)
  );
}

const authority =
  /^(?:(?:[\w.~!$&'()*+,;=:-]|%[0-9a-f]{2})*@)?(?:\[([^\]]*)\]|(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})*)(?::\d*)?$/i;

/** Whether a text is a URI with a scheme, in the characters of RFC 3986: `https://example.com/a?b#c`, `urn:isbn:1`. */
export function isUri(text: string): boolean {
  const [, host, rest = ""] = /^[a-z][a-z0-9+.-]*:(?:\/\/([^/?#]*))?(.*)$/i.exec(text) ?? [];
  if (host === undefined && /^(?:[?#]|$)/.test(rest)) return false;
  // RFC 9110, section 4.2.1.
  if (host === "" && /^https?:/i.test(text)) return false;
  if (!/^(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*(?:#(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*)?$/i.test(rest))
    return false;
  if (host === undefined) return true;
  const [isValid, address] = authority.exec(host) ?? [];
  if (isValid === undefined) return false;
  return address === undefined || isIpv6(address) || /^v[0-9a-f]+\.[\w.~!$&'()*+,;=:-]+$/i.test(address);
}
