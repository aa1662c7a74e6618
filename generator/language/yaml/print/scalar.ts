import type { Text } from "../../syntax/tree.ts";

/**
 * A text as a YAML scalar, as plain as it can stand: `no blanks at the ends` → as it is, `a: b` → `"a: b"`, `^\d+$` → `'^\d+$'`.
 * In brackets a comma or a bracket needs quotes too.
 */
export function scalar(text: string, inBrackets = false): string {
  if (isPlain(text) && !(inBrackets && /[,[\]{}]/.test(text))) return text;
  if (/[\\"]/.test(text) && !needsEscape.test(text)) return `'${text.replaceAll("'", "''")}'`;
  return JSON.stringify(text).replace(hidden, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/**
 * A value. A reader that knows types takes `0x1f` for a number and `no` perhaps for a boolean, so what was a text in quotes stays
 * one; what was written bare stays bare, as the 50 of `maximum: 50`.
 */
export function valueScalar({ value, quoted }: Text, inBrackets = false): string {
  return quoted && isTyped(value) ? JSON.stringify(value) : scalar(value, inBrackets);
}

function isTyped(text: string): boolean {
  return /^([-+]?[.]?[0-9][0-9a-zA-Z_.:+-]*|[-+]?[.](inf|nan)|true|false|yes|no|on|off|y|n)$/i.test(text);
}

/** Whether YAML reads it back as it stands, also in a reader that knows types: a word for nothing needs quotes. */
function isPlain(text: string): boolean {
  if (text === "" || needsEscape.test(text) || /^\s|\s$/.test(text)) return false;
  if (/^(~|null)$/i.test(text) || /^(---|\.\.\.)/.test(text)) return false;
  if (/^[-?:](\s|$)|^[,[\]{}#&*!|>'"%@`]/.test(text)) return false;
  return !/:(\s|$)|\s#/.test(text);
}

/** Characters that JSON leaves as they are and that YAML cannot hold, or that nobody would see. */
const hidden = /[\x7f-\x9f\u00a0\u2028\u2029\ufeff]/g;
const needsEscape: RegExp = /[\x00-\x1f\x7f-\x9f\u00a0\u2028\u2029\ufeff]|\p{Surrogate}/u;
