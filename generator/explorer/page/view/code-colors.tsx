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

export function colored(text: string, language: Language): ComponentChildren {
  if (text.length > coloredMax) return text;
  const parts: ComponentChildren[] = [];
  let at = 0;
  for (const match of text.matchAll(patterns[language])) {
    const { text: quoted, colon = "", number, word } = match.groups ?? {};
    if (match.index > at) parts.push(text.slice(at, match.index));
    const kind =
      quoted === undefined ? (number === undefined ? "word" : "number") : colon === "" ? "text" : "name";
    parts.push(<span class={`is-${kind}`}>{linked(quoted ?? number ?? word ?? "")}</span>, colon);
    at = match.index + match[0].length;
  }
  parts.push(text.slice(at));
  return parts;
}

/** A string that is a URL, as a link. */
function linked(text: string): ComponentChildren {
  const [, url] = /^"(https?:\/\/[^"\\\s]+)"$/.exec(text) ?? [];
  // The shell quotes a URL, which breaks before its slashes instead of within its words.
  if (url === undefined)
    return /^'https?:/.test(text)
      ? text.split(/(?=[/?&])/).flatMap((part) => [part, <wbr />])
      : text
          .split(/(\S{40,})/)
          .map((part, index) => (index % 2 === 0 ? part : <span class="is-long">{part}</span>));
  return (
    <a href={url} target="_blank" rel="noreferrer noopener">
      {text}
    </a>
  );
}
