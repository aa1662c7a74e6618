import type { Text } from "../../syntax/tree.ts";

/**
 * Writes a string as a YAML scalar, without quotes if possible: `two words` → unchanged, `a: b` → `"a: b"`, `^\d+$` → `'^\d+$'`. In
 * brackets, commas and brackets need quotes as well.
 */
export function scalar(text: string, inBrackets = false): string {
  if (isPlain(text) && !(inBrackets && /[,[\]{}]/.test(text))) return text;
  if (/[\\"]/.test(text) && !needsEscape.test(text)) return `'${text.replaceAll("'", "''")}'`;
  return JSON.stringify(text).replace(invisible, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/**
 * Writes a value. Other YAML parsers read an unquoted `0x1f` as a number and may read `no` as a boolean, so quoted values of this
 * kind stay quoted. Unquoted values stay unquoted, such as 50 in `maximum: 50`.
 */
export function valueScalar({ value, quoted }: Text, inBrackets = false): string {
  return quoted && looksTyped(value) ? JSON.stringify(value) : scalar(value, inBrackets);
}

function looksTyped(text: string): boolean {
  return /^([-+]?[.]?[0-9][0-9a-zA-Z_.:+-]*|[-+]?[.](inf|nan)|true|false|yes|no|on|off|y|n)$/i.test(text);
}

/** Whether every YAML parser reads the text back unchanged without quotes. Words for null need quotes. */
function isPlain(text: string): boolean {
  if (text === "" || needsEscape.test(text) || /^\s|\s$/.test(text)) return false;
  if (/^(~|null)$/i.test(text) || /^(---|\.\.\.)/.test(text)) return false;
  if (/^[-?:](\s|$)|^[,[\]{}#&*!|>'"%@`]/.test(text)) return false;
  return !/:(\s|$)|\s#/.test(text);
}

/** Characters that JSON.stringify leaves alone, but YAML forbids or a reader cannot see. */
const invisible = /[\x7f-\x9f\u00a0\u2028\u2029\ufeff]/g;
const needsEscape: RegExp = /[\x00-\x1f\x7f-\x9f\u00a0\u2028\u2029\ufeff]|\p{Surrogate}/u;
