/** Tests of strings. Lengths are in Unicode code points; those above U+FFFF take two UTF-16 units. */
import { isStorable } from "./storable-text.ts";

/** Whether a value of a request is storable text. */
export function isText(value: unknown): value is string {
  return typeof value === "string" && isStorable(value);
}

/** Whether a text has at most this many code points. Counts them only if the number of UTF-16 units does not decide. */
export function hasAtMost(text: string, codePoints: number): boolean {
  if (text.length <= codePoints) return true;
  return text.length <= codePoints * 2 && countOf(text) <= codePoints;
}

/** Whether a text has at least this many code points. */
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
    // A second low surrogate does not pair with the same high one.
    index++;
  }
  return count;
}

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Whether a value is base64 as Go writes it: the standard alphabet, padded to a multiple of four characters. */
export function isBase64(value: unknown): value is string {
  return typeof value === "string" && value.length % 4 === 0 && base64.test(value);
}

/** Returns the number of bytes that base64 text encodes. */
export function byteCount(text: string): number {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}

const integerKey = /^(?:0|-?[1-9][0-9]{0,15})$/;

/** Whether a map key is an integer in the given range: decimal text without leading zeros. */
export function isIntegerKey(key: string, low: number, high: number): boolean {
  if (!integerKey.test(key)) return false;
  const value = Number(key);
  return value >= low && value <= high;
}

const int64Key = /^(?:0|-?[1-9][0-9]{0,19})$/;

/** Whether a map key is a 64-bit integer in the given range. */
export function isInt64Key(key: string, low: number | bigint, high: number | bigint): boolean {
  if (!int64Key.test(key)) return false;
  const value = BigInt(key);
  return value >= low && value <= high;
}
