import { visibleJson } from "../../../language/diagnostics/visible.ts";

/** How JSON is printed. */
export interface JsonStyle {
  readonly isPretty: boolean;
  readonly isColoured: boolean;
}

/** The start of a string, a bracket, a comma, a colon, or a number or literal. */
const token = /["{}[\],:]|[^\s{}[\],:"]+/g;

/** Prints valid JSON without changing its values: numbers keep every digit, and objects their order. */
export function printJson(json: string, { isPretty, isColoured }: JsonStyle): string {
  const tokens = tokensOf(visibleJson(json));
  const paint = isColoured ? coloured : plain;
  if (!isPretty && !isColoured) return tokens.join("");
  let text = "";
  let depth = 0;
  const line = (): string => (isPretty ? `\n${"  ".repeat(depth)}` : "");
  for (const [index, each] of tokens.entries()) {
    const next = tokens[index + 1];
    if (each === "{" || each === "[") {
      depth++;
      text += next === "}" || next === "]" ? each : each + line();
    } else if (each === "}" || each === "]") {
      depth--;
      const isEmpty = tokens[index - 1] === "{" || tokens[index - 1] === "[";
      text += isEmpty ? each : line() + each;
    } else if (each === ",") text += each + line();
    else if (each === ":") text += isPretty ? ": " : each;
    else text += paint(each, next === ":");
  }
  return text;
}

function plain(text: string): string {
  return text;
}

/** Bold names, green text, yellow numbers and literals. */
function coloured(text: string, isName: boolean): string {
  const codes = isName ? "1;34" : text.startsWith('"') ? "32" : "33";
  return `\u001b[${codes}m${text}\u001b[0m`;
}

function tokensOf(json: string): readonly string[] {
  const tokens: string[] = [];
  token.lastIndex = 0;
  for (let found = token.exec(json); found !== null; found = token.exec(json)) {
    if (found[0] === '"') token.lastIndex = stringEnd(json, found.index);
    tokens.push(json.slice(found.index, token.lastIndex));
  }
  return tokens;
}

/** The end of a string. A regular expression would need a stack as deep as the string is long. */
function stringEnd(json: string, start: number): number {
  for (let quote = json.indexOf('"', start + 1); quote !== -1; quote = json.indexOf('"', quote + 1)) {
    let first = quote;
    while (json[first - 1] === "\\") first--;
    if ((quote - first) % 2 === 0) return quote + 1;
  }
  return json.length;
}
