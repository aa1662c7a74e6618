import { TokenKind, type Tokens } from "./token.ts";

/**
 * Splits a text into tokens that join to the text again, comments and blanks included. Never fails: what RIDL has no use
 * for becomes a token of kind `other`.
 *
 *     "- id: int # key" → minus blank word colon blank word blank hash blank word
 *
 * A word starts with a letter, a digit or "_" and runs to the next of ``NUL blank newline [ ] ( ) < > { } = : ¿ ? ¡ ! , "``;
 * so `a-b`, `v1/x` and `int#c` are one word each.
 */
export function lex(text: string): Tokens {
  const length = text.length;
  let kinds = new Uint8Array((length >> 1) + 8);
  let starts = new Int32Array(kinds.length + 1);
  let count = 0;
  let at = 0;
  while (at < length) {
    if (count + 1 >= kinds.length) {
      kinds = grown(kinds, new Uint8Array(kinds.length * 2));
      starts = grown(starts, new Int32Array(kinds.length + 1));
    }
    const code = text.charCodeAt(at);
    let kind: number = code < 128 ? (kindOf[code] as number) : TokenKind.other;
    let end = at + 1;
    if (kind === TokenKind.word) {
      while (end < length && !isBreak(text.charCodeAt(end))) end++;
    } else if (kind === TokenKind.blank) {
      while (end < length && kindOf[text.charCodeAt(end)] === TokenKind.blank) end++;
    } else if (kind === TokenKind.equal && text.charCodeAt(end) === 0x3e) {
      kind = TokenKind.arrow;
      end++;
    } else if (kind === TokenKind.unread) {
      end = length;
    } else if ((code & 0xfc00) === 0xd800 && (text.charCodeAt(end) & 0xfc00) === 0xdc00) {
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

const kindOf = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return symbols[character] ?? (/[A-Za-z0-9_]/.test(character) ? TokenKind.word : TokenKind.other);
});

const breaks = Uint8Array.from({ length: 256 }, (_, code) =>
  '\0 \t\r\n[]()<>{}=:\u00bf?\u00a1!,"'.includes(String.fromCharCode(code)) ? 1 : 0,
);

function isBreak(code: number): boolean {
  return code < 256 && breaks[code] === 1;
}
