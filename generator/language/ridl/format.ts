import { type Diagnostic, diagnose } from "../diagnostics/diagnostic.ts";
import { SourceFile } from "../source/source-file.ts";
import type { Span } from "../source/span.ts";
import type { SchemaFile } from "../syntax/tree.ts";
import { lex, TokenKind, type Tokens } from "./lexer.ts";
import { parse } from "./parse.ts";
import { print } from "./print/print.ts";
import { referenceComments } from "./reference-comments.ts";

export interface Formatted {
  /** Absent if the text has errors, or if formatting would lose something. */
  readonly text?: string;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Formats a file canonically. Uses the line ending of the first line and removes a byte order mark. Leaves the text alone if it
 * has errors, if formatting would lose a word, or if the IR would change. The output is parsed again to check this.
 */
export function format(source: SourceFile): Formatted {
  const text = source.text.replace(/^\uFEFF/, "");
  const input = text === source.text ? source : new SourceFile(source.path, text);
  const { file, diagnostics } = parse(input);
  if (diagnostics.some(({ severity }) => severity === "error")) return { diagnostics };
  const printed = print(file);
  const output = printed === text ? file : parse(new SourceFile(source.path, printed)).file;
  const loss = findLostText(file, output) ?? findMovedComment(file, output);
  if (loss !== undefined) return { diagnostics: [...diagnostics, loss] };
  return { text: /^[^\n]*\r\n/.test(text) ? printed.replaceAll("\n", "\r\n") : printed, diagnostics };
}

/** Reports the first text that formatting would drop because the parser ignores it, as webrpc's parser does. */
function findLostText(before: SchemaFile, after: SchemaFile): Diagnostic | undefined {
  if (before === after) return undefined;
  const { source } = before;
  const written = significantText(source.text);
  const printed = significantText(after.source.text);
  const span = firstMissing(written.code, printed.code) ?? firstMissing(written.comments, printed.comments);
  if (span === undefined) return undefined;
  const text = source.text.slice(span.start, span.end).trim();
  return diagnose("format-loses", { text }, { file: source, span });
}

/** Reports a comment that the reference tool would assign to another node after formatting. */
function findMovedComment(before: SchemaFile, after: SchemaFile): Diagnostic | undefined {
  if (before === after) return undefined;
  const nodesBefore = commentedNodes(before);
  const nodesAfter = commentedNodes(after);
  const longer = nodesBefore.length > nodesAfter.length ? nodesBefore : nodesAfter;
  const at = longer.findIndex(
    (_, index) => (nodesBefore[index]?.[1] ?? "") !== (nodesAfter[index]?.[1] ?? ""),
  );
  if (at === -1) return undefined;
  const [node] = nodesBefore[at] ?? [before.declarations[0]];
  return diagnose("format-changes", {}, { file: before.source, span: node?.span ?? { start: 0, end: 0 } });
}

type Spanned = { readonly span: Span };

/** Returns the nodes that have comments in the IR, with their comments. */
function commentedNodes(file: SchemaFile): [node: Spanned, comments: string][] {
  const found = [...(referenceComments(file) as ReadonlyMap<Spanned, readonly string[]>)];
  return found.map(([node, comments]) => [node, comments.join("\n")]);
}

/** The content of a file, without parts that can be written in several ways: blanks, line breaks, separators, an empty output. */
export interface SignificantText {
  readonly code: TokenText;
  readonly comments: TokenText;
}

/** Tokens joined without separators, so that `Foo Bar` equals `FooBar`, and their spans. */
export interface TokenText {
  readonly text: string;
  readonly spans: readonly Span[];
}

function significantText(text: string): SignificantText {
  const tokens = lex(text);
  const code: Span[] = [];
  const comments: Span[] = [];
  let context: "code" | "string" | "comment" = "code";
  for (let index = 0; index < tokens.count; index++) {
    if (context === "code") index += redundantTokensAt(tokens, index);
    const kind = (tokens.kinds[index] ?? TokenKind.end) as TokenKind;
    if (kind === TokenKind.newline) context = "code";
    else if (kind === TokenKind.hash && context === "code") context = "comment";
    else if (kind === TokenKind.quote && context !== "comment")
      context = context === "code" ? "string" : "code";
    if (isSeparator(kind, context)) continue;
    const list = context === "comment" ? comments : code;
    list.push(spanOf(tokens, index));
    // A quote after a backslash does not end the string.
    if (context === "string" && kind === TokenKind.backslash) list.push(spanOf(tokens, ++index));
  }
  return { code: joinTokens(text, code), comments: joinTokens(text, comments) };
}

function isSeparator(kind: TokenKind, context: "code" | "string" | "comment"): boolean {
  if (kind === TokenKind.newline || kind === TokenKind.end) return true;
  if (kind === TokenKind.blank) return context !== "string";
  return context === "code" && (kind === TokenKind.comma || kind === TokenKind.bar);
}

/** How many tokens from here can be left out without changing the meaning. */
function redundantTokensAt(tokens: Tokens, index: number): number {
  return emptyOutputAt(tokens, index) + emptyValueAt(tokens, index);
}

/** Returns 1 for the colon of `@name:`, which means the same as `@name`. Otherwise 0. */
function emptyValueAt({ kinds }: Tokens, index: number): number {
  if (kinds[index] !== TokenKind.colon || kinds[index - 2] !== TokenKind.at) return 0;
  const next = kinds[index + 1];
  return next === undefined || next === TokenKind.blank || next === TokenKind.newline ? 1 : 0;
}

/** Returns the number of tokens in `=> ()`, which means the same as no output. 0 if there is no empty output here. */
function emptyOutputAt(tokens: Tokens, index: number): number {
  if (tokens.kinds[index] !== TokenKind.arrow) return 0;
  const open = skipSeparators(tokens, index + 1);
  if (tokens.kinds[open] !== TokenKind.openParen) return 0;
  const close = skipSeparators(tokens, open + 1);
  return tokens.kinds[close] === TokenKind.closeParen ? close + 1 - index : 0;
}

function skipSeparators(tokens: Tokens, from: number): number {
  let index = from;
  while (separators.has(tokens.kinds[index] as TokenKind)) index++;
  return index;
}

const separators: ReadonlySet<TokenKind> = new Set([TokenKind.blank, TokenKind.comma, TokenKind.bar]);

function spanOf({ starts }: Tokens, index: number): Span {
  return { start: starts[index] as number, end: starts[index + 1] as number };
}

function joinTokens(text: string, spans: readonly Span[]): TokenText {
  return { text: spans.map(({ start, end }) => text.slice(start, end)).join(""), spans };
}

/** The first token that differs from the other text. */
function firstMissing(before: TokenText, after: TokenText): Span | undefined {
  if (before.text === after.text) return undefined;
  let same = 0;
  while (same < before.text.length && before.text[same] === after.text[same]) same++;
  let length = 0;
  for (const span of before.spans) {
    length += span.end - span.start;
    if (length > same) return span;
  }
  return before.spans.at(-1) ?? { start: 0, end: 0 };
}
