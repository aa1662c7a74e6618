/** Text that a database can hold: PostgreSQL stores neither NUL nor half a surrogate pair, and UTF-8 has no bytes for the latter. */

const surrogate = /[\ud800-\udfff]/;
/** The flag `u` reads a pair as one code point, so only a half without its other half matches. */
const loneSurrogate = /\p{Surrogate}/u;

/** The first search is fast on plain text; only text with surrogates needs the second one. */
export function hasLoneSurrogate(text: string): boolean {
  return surrogate.test(text) && loneSurrogate.test(text);
}

export function isStorable(text: string): boolean {
  return !text.includes("\0") && !hasLoneSurrogate(text);
}
