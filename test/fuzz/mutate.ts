import type { Random } from "../support/random.ts";

/** One small change of a text: of a token, a character or a line. */
export function mutate(random: Random, text: string): string {
  return random.pick(changes)(random, text);
}

type Change = (random: Random, text: string) => string;

const changes: readonly Change[] = [
  onTokens((random, tokens) => tokens.splice(random.below(tokens.length), 1)),
  onTokens((random, tokens) => {
    const at = random.below(tokens.length);
    tokens.splice(at, 0, tokens[at] as string);
  }),
  onTokens((random, tokens) => swap(tokens, random.below(tokens.length), random.below(tokens.length))),
  onTokens((random, tokens) => {
    const at = random.below(tokens.length);
    swap(tokens, at, Math.min(at + 1, tokens.length - 1));
  }),
  onTokens((random, tokens) => tokens.splice(random.below(tokens.length + 1), 0, random.pick(words))),
  onTokens((random, tokens) => tokens.splice(random.below(tokens.length), 1, random.pick(words))),
  onTokens((random, tokens) => {
    const at = random.below(tokens.length);
    const token = tokens[at] as string;
    tokens[at] = random.chance(50) ? token.toUpperCase() : token.toLowerCase();
  }),
  (random, text) => {
    const at = random.below(text.length + 1);
    return text.slice(0, at) + random.pick(characters) + text.slice(at);
  },
  (random, text) => {
    const at = random.below(text.length + 1);
    return text.slice(0, at) + text.slice(at + 1);
  },
  (random, text) => {
    const lines = text.split("\n");
    const [line] = lines.splice(random.below(lines.length), 1);
    lines.splice(random.below(lines.length + 1), 0, line as string);
    return lines.join("\n");
  },
  (random, text) => {
    const lines = text.split("\n");
    lines.splice(random.below(lines.length), 1);
    return lines.join("\n");
  },
  (random, text) => {
    const lines = text.split("\n");
    lines.splice(random.below(lines.length + 1), 0, random.pick(lines));
    return lines.join("\n");
  },
];

function onTokens(change: (random: Random, tokens: string[]) => unknown): Change {
  return (random, text) => {
    const tokens = text.match(/[A-Za-z0-9_.]+|\s|=>|./gsu) ?? [];
    if (tokens.length > 0) change(random, tokens);
    return tokens.join("");
  };
}

function swap(list: string[], a: number, b: number): void {
  const first = list[a] as string;
  list[a] = list[b] as string;
  list[b] = first;
}

const words: readonly string[] = [
  "webrpc", "name", "version", "basepath", "import", "enum", "struct", "type", "error", "service", "message",
  "stream", "proxy", "errors", "map", "HTTP", "v1", "string", "int", "User", "Kind", "A", "a", "0", "1", "400",
  "=>", "=", "(", ")", "[", "]", "[]", "<", ">", "+", "-", "#", ":", ",", "|", "\\", "/", '"', ".", "?", "@", "@a", "!",
  "{", "}", " ", "\t", "\n", "\r", "\n\n", ' "x" ', " # c\n", "map<string,", "()", "(A)", "é",
]; // biome-ignore format: a table reads better than a column

const characters: readonly string[] = [
  ..." \t\n\r=()[]<>+-#:,|\\/\".?@!aA0_zé%&{};'`~^$*",
  "\0", "\u00a0", "\u2028", "\ufeff", "¿", "😀", "\b", "\f", "\u007f",
]; // biome-ignore format: a table reads better than a column
