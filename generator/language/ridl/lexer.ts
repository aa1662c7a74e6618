/** Token kinds as small integers: a large schema has half a million tokens. */
export const TokenKind = {
  end: 0,
  blank: 1,
  newline: 2,
  word: 3,
  equal: 4,
  openParen: 5,
  closeParen: 6,
  openBracket: 7,
  closeBracket: 8,
  openAngle: 9,
  closeAngle: 10,
  plus: 11,
  minus: 12,
  hash: 13,
  colon: 14,
  comma: 15,
  bar: 16,
  backslash: 17,
  slash: 18,
  quote: 19,
  dot: 20,
  question: 21,
  at: 22,
  arrow: 23,
  /** A character without meaning outside comments and strings. */
  other: 24,
  /** Everything after a NUL. The reference parser stops there, and so does this one. */
  unread: 25,
} as const;

export type TokenKind = (typeof TokenKind)[keyof typeof TokenKind];

/** The tokens of a file in parallel arrays: token `i` is `text.slice(starts[i], starts[i + 1])`, of kind `kinds[i]`. */
export interface Tokens {
  readonly text: string;
  readonly kinds: Uint8Array;
  /** One longer than `kinds`, so that each token has an end. */
  readonly starts: Int32Array;
  readonly count: number;
}

/** Returns a token's text, or `""` past the end. */
export function tokenText(tokens: Tokens, index: number): string {
  if (index >= tokens.count) return "";
  return tokens.text.slice(tokens.starts[index], tokens.starts[index + 1]);
}

/**
 * Splits text into tokens, which cover the whole text, including comments and blanks. Never fails: a character without a meaning
 * in RIDL becomes a token of kind `other`.
 *
 *     "- id: int # key" → minus blank word colon blank word blank hash blank word
 *
 * A word starts with a letter, a digit or "_" and ends before the next ``NUL blank newline [ ] ( ) < > { } = : ¿ ? ¡ ! , "``. So
 * `a-b`, `v1/x` and `int#c` are one word each.
 */
export function lex(text: string): Tokens {
  const { length } = text;
  const codes = codeUnits(text);
  let kinds = new Uint8Array((length >> 1) + 8);
  let starts = new Int32Array(kinds.length + 1);
  let count = 0;
  let at = 0;
  while (at < length) {
    if (count + 1 >= kinds.length) {
      kinds = grown(kinds, new Uint8Array(kinds.length * 2));
      starts = grown(starts, new Int32Array(kinds.length + 1));
    }
    const code = codes[at] as number;
    let kind: number = kindOf[code] as number;
    let end = at + 1;
    if (kind === TokenKind.word) {
      while (endsWord[codes[end] as number] === 0) end++;
    } else if (kind === TokenKind.blank) {
      while (kindOf[codes[end] as number] === TokenKind.blank) end++;
    } else if (kind === TokenKind.equal && codes[end] === 0x3e) {
      kind = TokenKind.arrow;
      end++;
    } else if (kind === TokenKind.unread) {
      end = length;
    } else if ((code & 0xfc00) === 0xd800 && ((codes[end] as number) & 0xfc00) === 0xdc00) {
      end++;
    }
    kinds[count] = kind;
    starts[count] = at;
    count++;
    at = end;
  }
  starts[count] = length;
  return { text, kinds: kinds.subarray(0, count), starts: starts.subarray(0, count + 1), count };
}

/**
 * Copies text to UTF-16 code units with a final NUL, which ends any token. Until V8 has optimized the loop above, reading the
 * array is faster than reading the string.
 */
function codeUnits(text: string): Uint16Array {
  const codes = new Uint16Array(text.length + 1);
  const bytes = Buffer.from(codes.buffer);
  bytes.write(text, "utf16le");
  if (isBigEndian) bytes.swap16();
  return codes;
}

const isBigEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 0;

function grown<List extends Uint8Array | Int32Array>(from: List, to: List): List {
  to.set(from);
  return to;
}

const symbols: Readonly<Record<string, TokenKind>> = {
  "\0": TokenKind.unread,
  " ": TokenKind.blank,
  "\t": TokenKind.blank,
  "\r": TokenKind.blank,
  "\n": TokenKind.newline,
  "=": TokenKind.equal,
  "(": TokenKind.openParen,
  ")": TokenKind.closeParen,
  "[": TokenKind.openBracket,
  "]": TokenKind.closeBracket,
  "<": TokenKind.openAngle,
  ">": TokenKind.closeAngle,
  "+": TokenKind.plus,
  "-": TokenKind.minus,
  "#": TokenKind.hash,
  ":": TokenKind.colon,
  ",": TokenKind.comma,
  "|": TokenKind.bar,
  "\\": TokenKind.backslash,
  "/": TokenKind.slash,
  '"': TokenKind.quote,
  ".": TokenKind.dot,
  "?": TokenKind.question,
  "@": TokenKind.at,
};

/** Token kind by code unit. */
const kindOf = new Uint8Array(0x10000).fill(TokenKind.other);
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code);
  kindOf[code] = symbols[character] ?? (/[A-Za-z0-9_]/.test(character) ? TokenKind.word : TokenKind.other);
}

/** By code unit: 1 if a word ends before it. */
const endsWord = new Uint8Array(0x10000);
for (const character of '\0 \t\r\n[]()<>{}=:\u00bf?\u00a1!,"') endsWord[character.charCodeAt(0)] = 1;
