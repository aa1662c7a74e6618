import { type Documented, docsOf } from "../syntax/docs.ts";
import type { SchemaFile } from "../syntax/tree.ts";
import { lex, TokenKind, tokenText } from "./lexer.ts";

/**
 * Returns the comments that the reference tool assigns to each node. It takes them line by line from one pool, in parse order,
 * which drops some and assigns others to the wrong node. The model uses `docsOf` instead.
 */
export function referenceComments(file: SchemaFile): ReadonlyMap<object, readonly string[]> {
  if (file.format === "ir") return file.docs ?? new Map();
  if (file.format === "yaml") return yamlComments(file);
  const pool = commentPool(file.source.text);
  const found = new Map<object, readonly string[]>();
  if (pool.size === 0) return found;
  const take = (node: object, offset: number): void => {
    found.set(node, takeComments(pool, file.source.lineAt(offset)));
  };
  const nodes = [...file.headers, ...file.declarations].sort((a, b) => a.span.start - b.span.start);
  for (const node of nodes) {
    switch (node.kind) {
      case "error":
        break;
      case "enum":
        take(node, node.span.start);
        for (const value of node.values) {
          take(value, value.span.start);
          // The reference tool takes comments again for an explicit value and drops them.
          if (value.value !== undefined) takeComments(pool, file.source.lineAt(value.value.span.start));
        }
        break;
      case "struct":
        take(node, node.span.start);
        for (const field of node.fields) take(field, field.span.start);
        break;
      case "service":
        take(node, node.span.start);
        for (const method of node.methods) {
          const last = method.annotations.at(-1);
          take(method, last === undefined ? method.span.start : last.name.span.start);
        }
        break;
      default:
        take(node, node.span.start);
    }
  }
  return found;
}

/**
 * Returns the documentation of a YAML file, which the reference tool cannot read. Removes the blanks and number signs that the
 * tool drops in RIDL.
 */
function yamlComments(file: SchemaFile): ReadonlyMap<object, readonly string[]> {
  const found = new Map<object, readonly string[]>();
  const add = (node: Documented): void => {
    found.set(node, referenceLines(docsOf(file, node)));
  };
  for (const node of file.declarations) {
    if (node.kind === "struct") for (const field of node.fields) add(field);
    else if (node.kind === "enum") for (const value of node.values) add(value);
    else if (node.kind === "service") for (const method of node.methods) add(method);
    add(node);
  }
  return found;
}

/** Normalizes lines of documentation as the reference tool does: `"see  #5"` → `"see 5"`. */
export function referenceLines(lines: readonly string[]): readonly string[] {
  const read = lines.map((line) => commentPool(`#${line}\n`).get(1) ?? "");
  return read.join("\n") === "" ? [] : read;
}

/** Comments that are not assigned yet, by line. */
export type CommentPool = Map<number, string>;

/**
 * Collects comments by line. A "#" inside a string starts a comment; inside a word it does not. The last line counts only if
 * it ends with a line break. Tokens do not span lines, so only lines with "#" are examined.
 */
export function commentPool(text: string): CommentPool {
  const pool: CommentPool = new Map();
  const read = textBeforeNul(text);
  let line = 1;
  let position = 0;
  for (let hash = read.indexOf("#"); hash !== -1; hash = read.indexOf("#", position)) {
    const start = read.lastIndexOf("\n", hash) + 1;
    const end = read.indexOf("\n", hash);
    if (end === -1) break;
    line += lineBreaks(read, position, start);
    const comment = commentOf(read.slice(start, end));
    if (comment !== undefined) pool.set(line, comment);
    line++;
    position = end + 1;
  }
  return pool;
}

/** The reference tool stops at a NUL. */
function textBeforeNul(text: string): string {
  const nul = text.indexOf("\0");
  return nul === -1 ? text : text.slice(0, nul);
}

function lineBreaks(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at !== -1 && at < to; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** `- id: int # the  key` → `the key`. Returns undefined if the line has no comment. */
function commentOf(line: string): string | undefined {
  // Fast path for nearly all lines: without quotes or a second "#", splitting at blanks gives the same result as the lexer.
  if (/^(?:[^#"]*[ \t\r])?#[^#"]*$/.test(line)) {
    const text = line.slice(line.indexOf("#") + 1);
    return /[\t\r]| {2}/.test(text) ? wordsOf(text).join(" ") : trimOneBlank(text);
  }
  const tokens = lex(line);
  let words: string[] | undefined;
  for (let index = 0; index < tokens.count; index++) {
    const kind = tokens.kinds[index];
    if (kind === TokenKind.hash) words ??= [];
    else if (words !== undefined && kind !== TokenKind.blank)
      addWord(words, tokenText(tokens, index), tokens.kinds[index - 1] === TokenKind.blank);
  }
  return words?.join(" ");
}

function wordsOf(text: string): string[] {
  return text.split(/[ \t\r]+/).filter((word) => word !== "");
}

/** Trims text that has at most one blank at each end. */
function trimOneBlank(text: string): string {
  return text.slice(text.startsWith(" ") ? 1 : 0, text.endsWith(" ") ? -1 : undefined);
}

function addWord(words: string[], word: string, startsWord: boolean): void {
  if (startsWord || words.length === 0) words.push(word);
  else words.push(`${words.pop()}${word}`);
}

const noComments: readonly string[] = [];

/** Takes the comments of a line and of the lines directly above it out of the pool. The line itself may have none. */
export function takeComments(pool: CommentPool, from: number): readonly string[] {
  let taken: string[] | undefined;
  let misses = 0;
  for (let line = from; line >= 0 && pool.size > 0; line--) {
    const comment = pool.get(line);
    if (comment === undefined) {
      misses++;
      if (taken !== undefined || misses > 1) break;
      continue;
    }
    // A private comment is dropped, and the search continues above it.
    if (!comment.startsWith("!")) {
      taken ??= [];
      taken.push(comment);
    }
    pool.delete(line);
    misses = 1;
  }
  return taken === undefined || taken.join("\n") === "" ? noComments : taken.reverse();
}
