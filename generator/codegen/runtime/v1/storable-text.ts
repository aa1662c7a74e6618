/**
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
