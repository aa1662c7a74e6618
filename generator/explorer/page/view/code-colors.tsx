/** Colors code: strings, names, numbers and keywords of the languages that the page shows. */
import type { ComponentChildren } from "preact";

/** The keywords that the page's code uses. */
const keywords = {
  json: "true|false|null",
  typescript: "true|false|null|import|from|const|new|await|for|of",
  python: "True|False|None|import|for|in|if",
  go: "package|import|func|if|nil|defer",
  shell: "curl",
};

export type Language = keyof typeof keywords;

const number = /-?\b\d+(?:[.]\d+)?(?:[eE][+-]?\d+)?n?\b/.source;
const quoted = /"(?:[^"\\\n]|\\.)*"|`[^`]*`/.source;
// Shells know no escapes in single quotes, whose text may have several lines.
const patterns: Readonly<Record<Language, RegExp>> = {
  json: patternOf("json", quoted),
  typescript: patternOf("typescript", quoted),
  python: patternOf("python", quoted),
  go: patternOf("go", quoted),
  shell: patternOf("shell", `"[^"]*"|'[^']*'`),
};

function patternOf(language: Language, text: string): RegExp {
  return new RegExp(
    `(?<text>${text})(?<colon>\\s*:)?|(?<number>${number})|\\b(?<word>${keywords[language]})\\b`,
    "g",
  );
}

/** Longer texts are not colored: one element for each token would be slow. */
const coloredMax = 60_000;

/** A text in one line. */
export function colored(text: string, language: Language): ComponentChildren {
  return tokensOf(text, language).map(({ kind, text }) => tokenView(kind, text));
}

/** The lines of code. Strings may have several. */
export function CodeLines({ text, language }: { readonly text: string; readonly language: Language }) {
  const lines: ComponentChildren[][] = [[]];
  for (const token of tokensOf(text, language))
    for (const [index, part] of token.text.split("\n").entries()) {
      if (index > 0) lines.push([]);
      lines.at(-1)?.push(tokenView(token.kind, part));
    }
  const texts = text.split("\n");
  return (
    <>
      {lines.map((line, index) => (
        <Line
          key={index}
          indent={/^\s*/.exec(texts[index] ?? "")?.[0] ?? ""}
          isWord={/^\s*\S*$/.test(texts[index] ?? "")}
        >
          {line}
          {index < lines.length - 1 && "\n"}
        </Line>
      ))}
    </>
  );
}

interface LineProps {
  readonly indent: string;
  /** Whether the line has no space at which it can break. */
  readonly isWord?: boolean;
  readonly children: ComponentChildren;
}

/** A line that is too long goes on below its start, not at the margin. */
export function Line({ indent, isWord = false, children }: LineProps) {
  const hanging = indent.replaceAll("\t", "  ").length + 2;
  return (
    <span
      class="line"
      style={{
        paddingLeft: `${hanging}ch`,
        textIndent: `-${hanging}ch`,
        // Otherwise, a long word would leave its indent alone on a line.
        ...(isWord ? { wordBreak: "break-all" } : {}),
      }}
    >
      {children}
    </span>
  );
}

interface Token {
  /** Undefined: without a color. */
  readonly kind?: "name" | "number" | "text" | "word";
  readonly text: string;
}

function tokensOf(text: string, language: Language): readonly Token[] {
  if (text.length > coloredMax) return [{ text }];
  const tokens: Token[] = [];
  let at = 0;
  for (const match of text.matchAll(patterns[language])) {
    const { text: quoted, colon = "", number, word } = match.groups ?? {};
    if (match.index > at) tokens.push({ text: text.slice(at, match.index) });
    const kind =
      quoted === undefined ? (number === undefined ? "word" : "number") : colon === "" ? "text" : "name";
    tokens.push({ kind, text: quoted ?? number ?? word ?? "" }, { text: colon });
    at = match.index + match[0].length;
  }
  return [...tokens, { text: text.slice(at) }];
}

function tokenView(kind: Token["kind"], text: string): ComponentChildren {
  return kind === undefined ? text : <span class={`is-${kind}`}>{linked(text)}</span>;
}

/** A string that is a URL, as a link. */
function linked(text: string): ComponentChildren {
  const [, url] = /^"(https?:\/\/[^"\\\s]+)"$/.exec(text) ?? [];
  // The shell quotes a URL, which breaks before its slashes instead of within its words.
  if (url === undefined)
    return /^'https?:/.test(text) ? text.split(/(?=[/?&])/).flatMap((part) => [part, <wbr />]) : text;
  return (
    <a href={url} target="_blank" rel="noreferrer noopener">
      {text}
    </a>
  );
}
