/** JSON text of a request, from a caller that nobody trusts yet. */
import { endOfString } from "./json-string.ts";

/** Why a body is not read; the text is for the caller. */
export class BodyFault {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}

/**
 * Parses JSON, or answers a BodyFault for what `JSON.parse` alone lets pass: nesting past `maxDepth`, a key `__proto__`, NUL
 * in a key or a string. Ordinary text costs three native searches over it beside the parsing.
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
    return new BodyFault(`not JSON${placeIn(error)}`);
  }
  const isSuspect = text.includes("\\u") || text.includes("__proto__");
  return (isSuspect ? findForbidden(value) : undefined) ?? value;
}

/** Faults of a value that somebody else has parsed. */
export function checkParsed(value: unknown, maxDepth: number): BodyFault | undefined {
  return findForbidden(value, maxDepth);
}

/** `JSON.parse` repeats the text around the mistake, which may be a secret; its position is enough. */
function placeIn(error: unknown): string {
  const position = error instanceof Error ? /at position \d+/.exec(error.message)?.[0] : undefined;
  return position === undefined ? "" : ` ${position}`;
}

/** Counts openings by native search, up to the limit: a text with fewer cannot be deeper. */
function mayBeDeeper(text: string, maxDepth: number): boolean {
  // Each level takes an opening and a closing.
  if (text.length <= maxDepth * 2) return false;
  let count = 0;
  for (const opening of ["{", "["]) {
    for (let at = text.indexOf(opening); at !== -1; at = text.indexOf(opening, at + 1)) {
      if (++count > maxDepth) return true;
    }
  }
  return false;
}

/** Follows the nesting outside of strings. Before parsing, because `JSON.parse` takes 100 ms for a mebibyte of brackets. */
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

/** Walks a value without recursion: one that somebody else parsed may be of any depth. */
function findForbidden(root: unknown, maxDepth = Number.POSITIVE_INFINITY): BodyFault | undefined {
  const values: unknown[] = [root];
  const depths: number[] = [1];
  while (values.length > 0) {
    const value = values.pop();
    const depth = depths.pop() ?? 1;
    if (typeof value === "string" && value.includes("\0")) return new BodyFault("NUL in a string");
    if (typeof value !== "object" || value === null) continue;
    if (depth > maxDepth) return new BodyFault(`JSON is nested deeper than ${maxDepth}`);
    for (const [key, entry] of Object.entries(value)) {
      if (key === "__proto__") return new BodyFault('a key "__proto__"');
      if (key.includes("\0")) return new BodyFault("NUL in a key");
      values.push(entry);
      depths.push(depth + 1);
    }
  }
  return undefined;
}
