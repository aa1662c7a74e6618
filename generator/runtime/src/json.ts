import { describeIssues, type Issues } from "./errors.ts";

/** `Object.hasOwn`, for TypeScript libraries older than ES2022. */
export const hasOwn: (record: object, name: PropertyKey) => boolean = /* @__PURE__ */ (() =>
  (Object as unknown as { readonly hasOwn: typeof hasOwn }).hasOwn)();

/** Parses and prints JSON. Implementations differ in how they represent big integers. */
export interface JsonCodec {
  parse(text: string): unknown;
  print(value: unknown): string;
}

/* Strings within JSON text. */

/**
 * Returns the index of the closing quote of the string that starts at `start`, or the text's length if there is none.
 */
function endOfString(text: string, start: number): number {
  let end = start;
  do {
    end = text.indexOf('"', end + 1);
    if (end === -1) return text.length;
  } while (isEscaped(text, end));
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes++;
  return backslashes % 2 === 1;
}

/* Finds values that JSON cannot represent. `JSON.stringify` would change or omit most of them without an error. */

/** What would be valid in place of a value, and the value. */
export type JsonFault = readonly [expected: string, value: unknown];

/**
 * Returns the first value that JSON would change, and adds its path to `at`. Undefined if a parser of the JSON gets the
 * value back. Negative zero counts as zero, an undefined field as absent, and an object of a class as its fields, or as
 * what its `toJSON` returns.
 *
 * `takesBigints`: bigints of 64 bits are printed as numbers.
 */
export function jsonFault(
  value: unknown,
  at: (string | number)[],
  takesBigints: boolean,
  key: string | number = "",
  holders: object[] = [],
): JsonFault | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return undefined;
  if (typeof value === "number") return Number.isFinite(value) ? undefined : ["a finite number", value];
  if (typeof value === "bigint" && takesBigints)
    return value >= -(2 ** 63) && value < 2 ** 64 ? undefined : ["a 64-bit integer", value];
  if (typeof value !== "object") return ["a JSON value", value];
  if (holders.includes(value)) return ["a value without cycles", value];
  const { toJSON } = value as { readonly toJSON?: unknown };
  const isOwn = typeof toJSON === "function";
  const parts = (isOwn ? [toJSON.call(value, `${key}`)] : value) as Record<string | number, unknown>;
  const isList = Array.isArray(parts);
  // An invalid Date is printed as null.
  if (isOwn ? parts[0] === null : !isList && !isJsonObject(value)) return ["a JSON value", value];
  holders.push(value);
  for (const step of isList ? parts.keys() : Object.keys(parts)) {
    const part = parts[step];
    // Most values are text.
    if (typeof part === "string" || (part === undefined && !isList)) continue;
    const fault = jsonFault(part, at, takesBigints, isOwn ? key : step, holders);
    if (fault) {
      if (!isOwn) at.unshift(step);
      return fault;
    }
  }
  holders.pop();
  return undefined;
}

/** The fields of a JSON object. */
export type Fields = Record<string, unknown>;

/** Whether a value is a JSON object, not a list. */
export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether an object is its own enumerable fields, other than a Map, a Promise or a typed array. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return Object.prototype.toString.call(value) === "[object Object]";
}

/*
 * Text that a database can store. PostgreSQL stores neither NUL nor lone surrogates, and UTF-8 cannot encode the
 * latter.
 */

const surrogate = /[\ud800-\udfff]/;
/** With the flag `u`, a pair is one code point, so only a lone surrogate matches. */
const loneSurrogate = /\p{Surrogate}/u;

/** The first search is fast for ordinary text. Only text with surrogates needs the second. */
export function hasLoneSurrogate(text: string): boolean {
  return surrogate.test(text) && loneSurrogate.test(text);
}

/** Whether a database can store a text: it contains neither NUL nor lone surrogates. */
export function isStorable(text: string): boolean {
  return !text.includes("\0") && !hasLoneSurrogate(text);
}

/*
 * JSON with 64-bit integers. Integers beyond ±(2^53 - 1), which Go and other languages write as JSON numbers, become
 * bigints.
 */

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

/**
 * Sorts the keys of all objects in JSON by their UTF-16 code units and removes white space, as RFC 8785 does. Equal
 * requests then have equal URLs, also after fields have been reordered in the schema. Numbers stay as written.
 */
export function canonicalJson(json: string): string {
  const tokens = json.match(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  let at = 0;
  const members = (end: string, member: () => void): void => {
    while (at < tokens.length && tokens[at] !== end) {
      if (tokens[at] === ",") at++;
      else member();
    }
    at++;
  };
  const value = (): string => {
    const token = tokens[at++] ?? "";
    if (token === "[") {
      const items: string[] = [];
      members("]", () => items.push(value()));
      return `[${items.join(",")}]`;
    }
    if (token !== "{") return token;
    const fields: { readonly key: string; readonly text: string }[] = [];
    members("}", () => {
      const name = tokens[at] ?? "";
      at += 2;
      fields.push({ key: JSON.parse(name), text: `${name}:${value()}` });
    });
    fields.sort((a, b) => (a.key < b.key ? -1 : 1));
    return `{${fields.map(({ text }) => text).join(",")}}`;
  };
  return value();
}

/* Parses JSON from untrusted callers. */

/** Why a body cannot be read. The text is sent to the caller. */
export class BodyFault {
  readonly reason: string;
  /** Set if the JSON does not match its type. */
  readonly issues: Issues | undefined;
  /** HTTP status, if not that of WebrpcBadRequest. */
  readonly status: number | undefined;
  constructor(reason: string, issues?: Issues, status?: number) {
    this.reason = reason;
    this.issues = issues;
    this.status = status;
  }

  static tooLarge(maxBytes: number): BodyFault {
    return new BodyFault(`the body is larger than ${maxBytes} bytes`, undefined, 413);
  }

  static of(issues: Issues, status?: number): BodyFault {
    return new BodyFault(describeIssues(issues), issues, status);
  }
}

/**
 * Parses JSON. Returns a BodyFault for JSON that `JSON.parse` accepts but servers should not: nesting beyond
 * `maxDepth`, a key `__proto__`, and NUL or lone surrogates in keys and strings.
 *
 * All of them are searched in the text, in every spelling. Walking a parsed mebibyte of small values would take four
 * times as long as parsing it; ordinary text needs only a few native searches.
 */
export function parseJson(
  text: string,
  maxDepth: number,
  parse: (text: string) => unknown = JSON.parse,
): unknown {
  if (mayBeDeeper(text, maxDepth) && isDeeper(text, maxDepth)) {
    return new BodyFault(`JSON is nested deeper than ${maxDepth}`);
  }
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    return new BodyFault(`not JSON${positionIn(error)}`);
  }
  return forbiddenIn(text) ?? value;
}

/** The name `__proto__` as a string followed by a colon. A quote after a backslash does not start a string. */
const protoKey =
  /(?<!\\)"(?:_|\\u005[fF]){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006[fF])(?:t|\\u0074)(?:o|\\u006[fF])(?:_|\\u005[fF]){2}"[ \t\n\r]*:/;
const nulFault = "NUL in a key or a string";
/**
 * Preceded by an even number of backslashes; after an odd number, the backslash belongs to another escape. JSON has no
 * other spelling of NUL.
 */
const nul = /(?<!\\)(?:\\\\)*\\u0000/;

/** Expects valid JSON. */
function forbiddenIn(text: string): BodyFault | undefined {
  const hasEscapes = text.includes("\\u00");
  if (hasEscapes && nul.test(text)) return new BodyFault(nulFault);
  if (escapesLoneSurrogate(text)) return new BodyFault(surrogateFault);
  return (hasEscapes || text.includes("__proto__")) && protoKey.test(text)
    ? new BodyFault('a key "__proto__"')
    : undefined;
}

const surrogateFault = "a lone surrogate in a key or a string";
/** The hex digits after `\u` of the first and the second half of a surrogate pair. */
const highDigits = /^[dD][89abAB]/;
const lowDigits = /^[dD][c-fC-F]/;

/**
 * Expects valid JSON. The text was decoded from UTF-8, so only escapes can spell a lone surrogate. Visits escapes one
 * by one, because the second backslash of `\\ud800` does not start one.
 */
function escapesLoneSurrogate(text: string): boolean {
  if (!text.includes("\\ud") && !text.includes("\\uD")) return false;
  for (let at = text.indexOf("\\"); at !== -1; at = text.indexOf("\\", at + 2)) {
    if (text[at + 1] !== "u") continue;
    const digits = text.slice(at + 2, at + 4);
    if (lowDigits.test(digits)) return true;
    if (!highDigits.test(digits)) continue;
    at += 6;
    if (!text.startsWith("\\u", at) || !lowDigits.test(text.slice(at + 2, at + 4))) return true;
  }
  return false;
}

/** The message of `JSON.parse` quotes the text, which may contain a secret. The position is enough. */
function positionIn(error: unknown): string {
  const position = error instanceof Error ? /at position \d+/.exec(error.message)?.[0] : undefined;
  return position === undefined ? "" : ` ${position}`;
}

/** Counts opening brackets by native search, up to the limit. Text with fewer brackets cannot be deeper. */
function mayBeDeeper(text: string, maxDepth: number): boolean {
  // Each level needs two brackets.
  if (text.length <= maxDepth * 2) return false;
  let count = 0;
  for (const opening of ["{", "["]) {
    for (let at = text.indexOf(opening); at !== -1; at = text.indexOf(opening, at + 1)) {
      if (++count > maxDepth) return true;
    }
  }
  return false;
}

/**
 * Tracks the nesting outside of strings. Runs before parsing, because `JSON.parse` takes 100 ms for a mebibyte of
 * brackets.
 */
function isDeeper(text: string, maxDepth: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = endOfString(text, at);
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > maxDepth) return true;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        break;
    }
  }
  return false;
}

function faultOfText(text: string): BodyFault | undefined {
  if (text.includes("\0")) return new BodyFault(nulFault);
  return hasLoneSurrogate(text) ? new BodyFault(surrogateFault) : undefined;
}

/**
 * Applies the rules of `parseJson` to a value that another parser returned. Walks it without recursion, because its depth is
 * not limited.
 */
export function checkParsed(root: unknown, maxDepth: number): BodyFault | undefined {
  const values: unknown[] = [root];
  const depths: number[] = [1];
  while (values.length > 0) {
    const value = values.pop();
    const depth = depths.pop() ?? 1;
    const textFault = typeof value === "string" ? faultOfText(value) : undefined;
    if (textFault !== undefined) return textFault;
    if (typeof value !== "object" || value === null) continue;
    if (depth > maxDepth) return new BodyFault(`JSON is nested deeper than ${maxDepth}`);
    for (const [key, entry] of Object.entries(value)) {
      if (key === "__proto__") return new BodyFault('a key "__proto__"');
      const keyFault = faultOfText(key);
      if (keyFault !== undefined) return keyFault;
      values.push(entry);
      depths.push(depth + 1);
    }
  }
  return undefined;
}
