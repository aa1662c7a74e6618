/** JSON whose integers keep all their digits: past ±(2^53 - 1) they are bigints, which Go and others write as numbers. */
import type { JsonCodec } from "./json-codec.ts";
import { endOfString } from "./json-string.ts";

/** `JSON.parse`, but for integers of 16 to 20 digits, as many as types of 64 bits have. Longer ones are the nearest number. */
export function parseInt64Json(text: string): unknown {
  if (!/[0-9]{16}/.test(text)) return JSON.parse(text);
  const own = markPrefix();
  const marked = markIntegers(text, own);
  if (marked === text) return JSON.parse(text);
  return JSON.parse(marked, (_key, value: unknown) =>
    typeof value === "string" && value.startsWith(own) ? BigInt(value.slice(own.length)) : value,
  );
}

/** `JSON.stringify`, with bigints as numbers. */
export function printInt64Json(value: unknown): string {
  const own = markPrefix();
  let isMarked = false;
  const text = JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== "bigint") return part;
    const number = Number(part);
    if (Number.isSafeInteger(number)) return number;
    isMarked = true;
    return `${own}${part}`;
  });
  return isMarked ? text.replace(new RegExp(`"${own}(-?[0-9]+)"`, "g"), "$1") : text;
}

export const int64Json: JsonCodec = { parse: parseInt64Json, print: printInt64Json };

let ownMark = "";

/** Stands before digits that are text for as long as they have to be. Nobody who sends text can know it. */
function markPrefix(): string {
  ownMark ||= `${Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("")}:`;
  return ownMark;
}

/** `{"id":9007199254740993}` → `{"id":"<mark>9007199254740993"}`. What is no JSON stays none. */
function markIntegers(text: string, own: string): string {
  let marked = "";
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at);
    else if (code === 0x2d || isDigit(code)) {
      const end = endOfNumber(text, at);
      const token = text.slice(at, end);
      if (longInteger.test(token) && !Number.isSafeInteger(Number(token)) && !isKey(text, end)) {
        marked += `${text.slice(from, at)}"${own}${token}"`;
        from = end;
      }
      at = end - 1;
    }
  }
  return marked + text.slice(from);
}

const longInteger = /^-?[1-9][0-9]{15,19}$/;

/** The index behind all that a number may hold. */
function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (isDigit(text.charCodeAt(end)) || ".eE+-".includes(text.charAt(end) || " ")) end++;
  return end;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** A number before a colon is no JSON, and must not become it. */
function isKey(text: string, end: number): boolean {
  let at = end;
  while (" \t\r\n".includes(text.charAt(at) || "x")) at++;
  return text.charAt(at) === ":";
}
