import { eastAsianWidth } from "get-east-asian-width";

/**
 * Makes text safe for a terminal: replaces characters that move the cursor, change colours, reverse the text or are invisible.
 * `"a\u001b[31m"` → `"a<U+001B>[31m"`. A schema may be untrusted and must not control the terminal.
 */
export function visible(text: string): string {
  return text.replace(unsafe, codePointName);
}

/** Like `visible`, for JSON text: escapes such as `\u200b` keep the value. `JSON.stringify` has already escaped ASCII controls. */
export function visibleJson(json: string): string {
  return json.replace(/[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, escaped);
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

// C0 and C1 controls, lone surrogates, direction marks, invisible spaces, line separators.
const unsafe = /[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\p{Surrogate}/gu;

function codePointName(character: string): string {
  return `<U+${codeOf(character)}>`;
}

function escaped(character: string): string {
  return `\\u${codeOf(character).toLowerCase()}`;
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
