import { TokenKind, type Tokens } from "./token.ts";

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
 * Copies text to UTF-16 code units with a final NUL, which ends any token. Until V8 has optimised the loop above, reading the
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
