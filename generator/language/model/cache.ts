/** Reads `@cache`: how long caches may keep the response of a read. */

/** `@cache:"60s, public, vary X-Access-Key"`. */
export interface CacheRule {
  /** 0: caches ask the server each time. */
  readonly seconds: number;
  readonly scope: "public" | "private" | undefined;
  /** Names of request headers, as written. */
  readonly vary: readonly string[];
}

/** Why a text is not a rule. */
export type CacheFault =
  | { readonly fault: "duration"; readonly text: string }
  | { readonly fault: "word"; readonly text: string; readonly reason: string };

export const cacheName = "cache";

/** One year, the longest time that RFC 9111 and its predecessors recommend. */
const maxSeconds = 365 * 24 * 60 * 60;

const secondsOf = { s: 1, m: 60, h: 60 * 60, d: 24 * 60 * 60 } as const;

/** Reads the value of `@cache`. Undefined is an annotation without a value. */
export function readCache(value: string | undefined): CacheRule | CacheFault {
  const [duration = "", ...words] = (value ?? "").split(",").map((word) => word.trim());
  const [, digits = "", unit = ""] = /^([0-9]{1,9})([smhd])$/.exec(duration) ?? [];
  const seconds = Number(digits) * secondsOf[unit as keyof typeof secondsOf];
  if (digits === "" || seconds > maxSeconds) return { fault: "duration", text: duration };
  let scope: CacheRule["scope"];
  const vary: string[] = [];
  for (const word of words) {
    const header = /^vary[ \t]+([\w!#$%&'+.^`|~-]+)$/.exec(word)?.[1];
    if (header !== undefined) vary.push(header);
    else if ((word === "public" || word === "private") && scope === undefined) scope = word;
    else return { fault: "word", text: word, reason: faultOfWord(word, scope) };
  }
  return { seconds, scope, vary };
}

function faultOfWord(word: string, scope: CacheRule["scope"]): string {
  if (word === scope) return "which is repeated";
  if (word === "public" || word === "private") return 'but "public" and "private" exclude each other';
  return /^vary([ \t]|$)/.test(word) ? "which needs the name of a header" : "which has no meaning there";
}

/** The value of the header `Cache-Control`. */
export function cacheControl({ seconds, scope }: CacheRule): string {
  const age = seconds === 0 ? "no-cache" : `max-age=${seconds}`;
  return scope === undefined ? age : `${scope}, ${age}`;
}
