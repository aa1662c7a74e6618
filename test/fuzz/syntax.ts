import { lex, tokenText } from "../../generator/language/ridl/lexer.ts";
import { parse } from "../../generator/language/ridl/parse.ts";
import { SourceFile } from "../../generator/language/source/source-file.ts";
import type { Random } from "../support/random.ts";
import { startWatchdog } from "./watchdog.ts";

/**
 * Checks the invariants of lexer and parser for a text; undefined if they hold. Neither may throw, the tokens
 * joined must be the text, and every span of the tree or a diagnostic must lie within the text.
 */
function complaintAbout(text: string): string | undefined {
  try {
    const tokens = lex(text);
    let joined = "";
    for (let index = 0; index < tokens.count; index++) {
      const token = tokenText(tokens, index);
      if (token === "") return `token ${index} is empty`;
      joined += token;
    }
    if (joined !== text) return `the tokens join to ${JSON.stringify(joined)}`;
    const source = new SourceFile("m.ridl", text);
    const { file, diagnostics } = parse(source);
    for (const { code, at } of diagnostics) {
      if (at === undefined) return `${code} names no place`;
      if (!isWithin(at.span, text))
        return `${code} is at ${at.span.start}–${at.span.end}, outside of the text`;
    }
    return complaintAboutTree(file, text);
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

interface SpanLike {
  readonly start: number;
  readonly end: number;
}

function isWithin({ start, end }: SpanLike, text: string): boolean {
  return 0 <= start && start <= end && end <= text.length;
}

function complaintAboutTree(node: unknown, text: string): string | undefined {
  if (typeof node !== "object" || node === null || node instanceof SourceFile) return undefined;
  if ("start" in node && "end" in node) {
    const span = node as SpanLike;
    return isWithin(span, text) ? undefined : `a node is at ${span.start}–${span.end}, outside of the text`;
  }
  for (const child of Object.values(node)) {
    const complaint = complaintAboutTree(child, text);
    if (complaint !== undefined) return complaint;
  }
  return undefined;
}

/** One token of each kind, each character that ends a word, and difficult characters of JavaScript strings. */
export const atoms: readonly string[] = [
  ...'a1=()[]<>+-#:,|\\/".?@! \t\r\n\0é¿',
  "=>",
  "😀",
  "\ud800",
  "\udc00",
  "\ufeff",
];

/** Fragments that reach every rule of the grammar. */
const pieces: readonly string[] = [
  ...atoms, "webrpc = v1\n", "name =", "import", "import a\n", "enum E: int\n", "struct A\n", "type T: ", "error 1 E \"m\"",
  "service S\n", "- f: int", "- P(", ") => (", "stream ", "proxy ", " errors E", "map<", "[]", "+ json = x", "@a:", '"x"',
  " # c\n", "#! p\n", " HTTP 400", "\n\n",
]; // biome-ignore format: a table reads better than a column

/** Every sequence of up to `longest` items, shortest first: 37 atoms give 52,000 texts of up to 3. */
export function* everySequence(items: readonly string[], longest: number): Generator<string> {
  let last = [""];
  yield "";
  for (let length = 1; length <= longest; length++) {
    const next: string[] = [];
    for (const head of last) for (const item of items) next.push(head + item);
    yield* next;
    last = next;
  }
}

function randomText(random: Random): string {
  return Array.from({ length: 1 + random.below(24) }, () => random.pick(pieces)).join("");
}

/** Stops at the first problem and reports the text. */
export function checkSyntax(texts: Iterable<string>): string | undefined {
  using watchdog = startWatchdog();
  for (const text of texts) {
    watchdog.look(text);
    const complaint = complaintAbout(text);
    if (complaint !== undefined) return `${JSON.stringify(text)}: ${complaint}`;
  }
  return undefined;
}

export function* randomTexts(random: Random, count: number): Generator<string> {
  for (let index = 0; index < count; index++) yield randomText(random);
}
