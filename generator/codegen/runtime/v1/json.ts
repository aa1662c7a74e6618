/** Parses JSON from untrusted callers. */
import { describeIssues, type Issues } from "./issue.ts";
import { endOfString } from "./json-string.ts";
import { hasLoneSurrogate } from "./storable-text.ts";

/** Why a body cannot be read. The text is sent to the caller. */
export class BodyFault {
  readonly reason: string;
  /** Set if the JSON does not match its type. */
  readonly issues: Issues | undefined;
  constructor(reason: string, issues?: Issues) {
    this.reason = reason;
    this.issues = issues;
  }

  static of(issues: Issues): BodyFault {
    return new BodyFault(describeIssues(issues), issues);
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

/** Applies the rules of `parseJson` to a value that another parser returned. */
export function checkParsed(value: unknown, maxDepth: number): BodyFault | undefined {
  return findForbidden(value, maxDepth);
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

/** Walks a value without recursion, because its depth is not limited. */
function findForbidden(root: unknown, maxDepth = Number.POSITIVE_INFINITY): BodyFault | undefined {
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
