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

const int64Key = /^(?:0|-?[1-9][0-9]{0,19})$/;

/** The same of a type with 64 bits. */
export function isInt64Key(key: string, low: number | bigint, high: number | bigint): boolean {
  if (!int64Key.test(key)) return false;
  const value = BigInt(key);
  return value >= low && value <= high;
}
