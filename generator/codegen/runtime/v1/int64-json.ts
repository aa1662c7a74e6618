/**
 * JSON with 64-bit integers. Integers beyond ±(2^53 - 1), which Go and other languages write as JSON numbers, become
 * bigints.
 */
import type { JsonCodec } from "./json-codec.ts";
import { endOfString } from "./json-string.ts";

/**
 * Like `JSON.parse`, but returns bigints for unsafe integers of 16 to 20 digits, which covers 64 bits. Longer integers
 * become the nearest number.
 */
export function parseInt64Json(text: string): unknown {
  if (!/[0-9]{16}/.test(text)) return JSON.parse(text);
  const mark = markPrefix();
  const marked = markIntegers(text, mark);
  if (marked === text) return JSON.parse(text);
  return JSON.parse(marked, (_key, value: unknown) =>
    typeof value === "string" && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  );
}

/** Like `JSON.stringify`, but prints bigints as JSON numbers. */
export function printInt64Json(value: unknown): string {
  const mark = markPrefix();
  let isMarked = false;
  const text = JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== "bigint") return part;
    const number = Number(part);
    if (Number.isSafeInteger(number)) return number;
    isMarked = true;
    return `${mark}${part}`;
  });
  return isMarked ? text.replace(new RegExp(`"${mark}(-?[0-9]+)"`, "g"), "$1") : text;
}

/** JSON with 64-bit integers as bigints. */
export const int64Json: JsonCodec = { parse: parseInt64Json, print: printInt64Json };

let cachedMark = "";

/** A random prefix that marks digits while they are temporarily strings. Senders cannot guess it. */
function markPrefix(): string {
  cachedMark ||= `${Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("")}:`;
  return cachedMark;
}

/** Converts `{"id":9007199254740993}` to `{"id":"<mark>9007199254740993"}`. Invalid JSON stays invalid. */
function markIntegers(text: string, mark: string): string {
  let marked = "";
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at);
    else if (code === 0x2d || isDigit(code)) {
      const end = endOfNumber(text, at);
      const token = text.slice(at, end);
      if (longInteger.test(token) && !Number.isSafeInteger(Number(token)) && !isKey(text, end)) {
        marked += `${text.slice(from, at)}"${mark}${token}"`;
        from = end;
      }
      at = end - 1;
    }
  }
  return marked + text.slice(from);
}

const longInteger = /^-?[1-9][0-9]{15,19}$/;

/** Returns the index after all characters that a number may contain. */
function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (isDigit(text.charCodeAt(end)) || ".eE+-".includes(text.charAt(end) || " ")) end++;
  return end;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** A number before a colon is invalid JSON, and marking it would make it valid. */
function isKey(text: string, end: number): boolean {
  let at = end;
  while (" \t\r\n".includes(text.charAt(at) || "x")) at++;
  return text.charAt(at) === ":";
}
