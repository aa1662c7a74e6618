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
  if (joining.test(character)) return 0;
  if (emoji.test(character)) return 2;
  return wide.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
}

const joining = /^[\p{Mn}\p{Me}\u200c\u200d]$/u;

/** Characters that are shown as pictures by default, also outside of the blocks below: ⌚, ✅. */
const emoji = /^\p{Emoji_Presentation}$/u;

/** Blocks that Unicode's EastAsianWidth.txt marks W or F, rounded to whole blocks. */
const wide: readonly (readonly [first: number, last: number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1faff],
  [0x20000, 0x3fffd],
];
