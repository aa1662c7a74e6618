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
