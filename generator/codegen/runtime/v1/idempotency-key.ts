/** Reads the header `Idempotency-Key`. */

/** Longest key, in characters. */
const keyMaxLength = 255;

/**
 * Returns the key: a string of structured fields (RFC 9651, section 3.3.3), or the same text without quotes, as many
 * clients send it. Undefined if the header is malformed.
 */
export function readKey(header: string): string | undefined {
  const [, quoted, bare] = /^ *(?:"((?:[ !#-[\]-~]|\\["\\])*)"|([!#-+\--:<-[\]-~]*)) *$/.exec(header) ?? [];
  const key = quoted?.replace(/\\(.)/g, "$1") ?? bare ?? "";
  return key === "" || key.length > keyMaxLength ? undefined : key;
}

export const keyForm: string = `expected 1 to ${keyMaxLength} printable ASCII characters in double quotes`;
