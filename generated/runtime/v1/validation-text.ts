/** What a string can be asked. Lengths are in Unicode code points; one outside of the first 65,536 takes two units of a string. */
import { isStorable } from "./storable-text.ts";

/** Text of a request. */
export function isText(value: unknown): value is string {
  return typeof value === "string" && isStorable(value);
}

/** Counts only where the units leave it open. */
export function hasAtMost(text: string, codePoints: number): boolean {
  if (text.length <= codePoints) return true;
  return text.length <= codePoints * 2 && countOf(text) <= codePoints;
}

export function hasAtLeast(text: string, codePoints: number): boolean {
  if (text.length < codePoints) return false;
  return text.length >= codePoints * 2 || countOf(text) >= codePoints;
}

function countOf(text: string): number {
  let count = text.length;
  for (let index = 1; index < text.length; index++) {
    if ((text.charCodeAt(index) & 0xfc00) !== 0xdc00 || (text.charCodeAt(index - 1) & 0xfc00) !== 0xd800)
      continue;
    count--;
    // The pair is spent: a second low half does not pair with the same first.
    index++;
  }
  return count;
}

const timestamp =
  /^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:[.][0-9]{1,9})?(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$/;

/**
 * RFC 3339 with 0 to 9 fraction digits and any offset, on a day that the calendar has: `2024-02-29T12:00:00.5+02:00`. `T` and `Z`
 * are upper case, as Go reads them. No leap second: neither Go's `time.Time` nor JavaScript's `Date` can hold `23:59:60`.
 */
export function isTimestamp(value: unknown): value is string {
  return typeof value === "string" && timestamp.test(value) && isRealDay(value);
}

/** The form of answers: `Z` and no other offset. */
export function isUtcTimestamp(value: unknown): value is string {
  return isTimestamp(value) && value.charCodeAt(value.length - 1) === 0x5a;
}

const monthsOf30Days: readonly string[] = ["04", "06", "09", "11"];

/** Of a text that has the form of a timestamp. */
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

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Bytes as Go writes them: the standard alphabet, padded to a multiple of four. */
export function isBase64(value: unknown): value is string {
  return typeof value === "string" && value.length % 4 === 0 && base64.test(value);
}

/** Number of bytes that base64 text holds. */
export function byteCount(text: string): number {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}

const integerKey = /^(?:0|-?[1-9][0-9]{0,15})$/;

/** A map key of an integer type: decimal text without leading zeros, within the bounds of the type. */
export function isIntegerKey(key: string, low: number, high: number): boolean {
  if (!integerKey.test(key)) return false;
  const value = Number(key);
  return value >= low && value <= high;
}

const wideKey = /^(?:0|-?[1-9][0-9]{0,19})$/;

/** The same of a type with 64 bits. */
export function isWideKey(key: string, low: bigint, high: bigint): boolean {
  if (!wideKey.test(key)) return false;
  const value = BigInt(key);
  return value >= low && value <= high;
}
