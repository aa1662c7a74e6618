import { eastAsianWidth } from "get-east-asian-width";

/**
 * Makes text safe for a terminal: replaces characters that move the cursor, change colors, reverse the text or are invisible.
 * `"a\u001b[31m"` → `"a<U+001B>[31m"`. A schema may be untrusted and must not control the terminal.
 */
export function visible(text: string): string {
  return text.replace(unsafe, codePointName);
}

/** Like `visible`, for a text of several lines: keeps line breaks and tabs. */
export function visibleLines(text: string): string {
  return text.replace(unsafe, (found) => (found === "\n" || found === "\t" ? found : codePointName(found)));
}

/** Like `visible`, for JSON text: escapes such as `\u200b` keep the value. `JSON.stringify` has already escaped ASCII controls. */
export function visibleJson(json: string): string {
  return json.replace(hidden, escaped);
}

/**
 * Makes all that a program prints safe for a terminal, as the last step. Keeps line breaks, tabs, ridlkit's own colors, links to files, and
 * the return to the start of a line of progress. Escapes as in JSON, because the text may be JSON: `"a\u202eb"` → `"a\\u202eb"`.
 */
export function visibleOutput(text: string): string {
  return text.replace(ownOrUnsafe, (found, own: string | undefined) => own ?? escaped(found));
}

/**
 * The width of text in terminal columns: 2 for wide East Asian characters and emoji, 0 for combining marks. This is an
 * approximation, because terminals differ for joined emoji.
 */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += columnsOfCharacter(character);
  return columns;
}

/** The longest start of a text that fits into a number of terminal columns. */
export function startWithin(text: string, columns: number): string {
  return text.slice(0, lengthWithin(text, columns));
}

/** The longest end of a text that fits into a number of terminal columns. */
export function endWithin(text: string, columns: number): string {
  // A line may be megabytes long, so only its end is split into characters.
  const characters = Array.from(text.slice(-4 * columns)).reverse();
  return text.slice(text.length - lengthWithin(characters, columns));
}

function lengthWithin(characters: Iterable<string>, columns: number): number {
  let [left, length] = [columns, 0];
  for (const character of characters) {
    left -= columnsOfCharacter(character);
    if (left < 0) break;
    length += character.length;
  }
  return length;
}

// C1 controls, direction marks, invisible spaces and letters, line separators, tags. Not the joiners of emoji, and of words in Persian and
// Hindi.
const hiddenSet = String.raw`\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}`;
// JSON can also escape the joiners without changing a value.
const hidden = new RegExp(`[${hiddenSet}\\u200c\\u200d]`, "gu");
const unsafe = new RegExp(`[\\x00-\\x1f${hiddenSet}]|\\p{Surrogate}`, "gu");
// Of the colors, only those that ridlkit uses: others can hide a text.
const own = String.raw`[\n\t]|\r\n|^\r|\x1b\[(?:[01]|3[234]|1;3[134])m|\x1b\]8;;(?:file:[\x21-\x7e]*)?\x1b\\`;
const ownOrUnsafe = new RegExp(`(${own})|${unsafe.source}`, "gu");

function codePointName(character: string): string {
  return `<U+${codeOf(character)}>`;
}

function escaped(character: string): string {
  // A character beyond U+FFFF has two escapes in JSON.
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
}

function columnsOfCharacter(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  return joining.test(character) ? 0 : eastAsianWidth(code);
}

const joining = /^[\p{Mn}\p{Me}\u200c\u200d]$/u;
