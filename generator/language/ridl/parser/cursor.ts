import { type CatalogName, catalog, type ParametersOf } from "../../diagnostics/catalog.ts";
import {
  asSuggestion,
  type Diagnostic,
  type DiagnosticExtras,
  diagnose,
} from "../../diagnostics/diagnostic.ts";
import type { SourceFile } from "../../source/source-file.ts";
import type { Span } from "../../source/span.ts";
import type { Comment, HeaderKey, Name, ServiceNode } from "../../syntax/tree.ts";
import { lex, TokenKind, type Tokens } from "../lexer.ts";
import { habitAdvice, type LineForm, lineEndFix, lineForms, repairLineEnd, repairSymbol } from "./repair.ts";

/** Errors whose advice depends on the line. Those without advice in the catalog show how to write such a line. */
const grammarErrors: ReadonlySet<CatalogName> = new Set([
  "unexpected",
  "missing-value",
  "not-a-number",
  "malformed-type",
  "succinct-alone",
  "unknown-keyword",
]);

/** Maximum number of diagnostics per file, far more than are shown. */
const maxDiagnostics = 1_000;

/**
 * The position of the parser in the token list, and its diagnostics so far. A grammar rule that fails reports once through `fail`
 * and returns `undefined`; the enclosing list then continues at the next line.
 */
export class Cursor {
  readonly file: SourceFile;
  readonly diagnostics: Diagnostic[] = [];
  /** Collects the parts that will be missing from the tree: see `UnparsedParts`. */
  readonly unparsed: { readonly words: Set<string>; imports: boolean; readonly services: Set<ServiceNode> } =
    {
      words: new Set(),
      imports: false,
      services: new Set(),
    };
  kind: TokenKind = TokenKind.end;
  /** The kind of line that is parsed. Grammar rules set it; errors without a fix show how to write such a line. */
  lineForm: LineForm = "declaration";
  readonly #tokens: Tokens;
  /** Tokens before this index are parsed; a NUL ends the schema. */
  #limit: number;
  #index = 0;
  /**
   * Start, end and `trailing` of each comment in a flat list. A well-documented schema has many comments, and objects for them
   * would cost too much memory.
   */
  readonly #comments: number[] = [];

  constructor(file: SourceFile) {
    this.file = file;
    this.#tokens = lex(file.text);
    const last = this.#tokens.count - 1;
    this.#limit = this.#tokens.kinds[last] === TokenKind.unread ? last : this.#tokens.count;
    if (this.#limit === last) {
      this.warn("text-after-nul", {}, { start: this.#startOf(last), end: this.#startOf(last) + 1 });
    }
    this.kind = this.#kindAt(0);
  }

  /** Returns the comments read so far, in order of appearance. */
  comments(): Comment[] {
    const numbers = this.#comments;
    const found: Comment[] = [];
    for (let at = 0; at < numbers.length; at += 3) {
      const span = { start: numbers[at] as number, end: numbers[at + 1] as number };
      found.push({ span, trailing: numbers[at + 2] === 1 });
    }
    return found;
  }

  get nextKind(): TokenKind {
    return this.#kindAt(this.#index + 1);
  }

  get start(): number {
    return this.#startOf(this.#index);
  }

  /** Offset after the current token, or the end of the schema. */
  get end(): number {
    return this.#startOf(Math.min(this.#index + 1, this.#limit));
  }

  get text(): string {
    return this.slice(this.start, this.end);
  }

  get span(): Span {
    return { start: this.start, end: this.end };
  }

  slice(start: number, end: number): string {
    return this.#tokens.text.slice(start, end);
  }

  advance(): void {
    if (this.#index < this.#limit) this.reset(this.#index + 1);
  }

  /** Returns a position for `reset`. */
  mark(): number {
    return this.#index;
  }

  reset(mark: number): void {
    this.#index = mark;
    this.kind = this.#kindAt(mark);
  }

  take(kind: TokenKind): boolean {
    if (this.kind !== kind) return false;
    this.reset(this.#index + 1);
    return true;
  }

  /** Skips blanks within a line. Wherever the reference parser allows one blank, it allows several. */
  skipBlank(): void {
    this.take(TokenKind.blank);
  }

  takeWord(): Name | undefined {
    if (this.kind !== TokenKind.word) return undefined;
    const name = { text: this.text, span: this.span };
    this.reset(this.#index + 1);
    return name;
  }

  /** Reads a word, or reports what the word should have been. */
  expectWord(expected: string): Name | undefined {
    return this.takeWord() ?? this.failUnexpected(expected);
  }

  /** Reads a token that must follow directly. A blank before the token is reported with its own code. */
  expect(kind: TokenKind, symbol: string): boolean {
    if (this.take(kind)) return true;
    if (this.kind === TokenKind.blank && this.nextKind === kind) {
      this.fail("misplaced-blank", { before: `"${symbol}"` }, this.span, {
        fix: { title: "Remove the space", file: this.file, edits: [{ span: this.span, text: "" }] },
      });
      this.advance();
      return this.take(kind);
    } else if (symbol === ":" || symbol === "=") {
      if (repairSymbol(this, symbol)) return true;
      this.failUnexpected(`"${symbol}"`);
    } else this.failUnexpected(`"${symbol}"`);
    return false;
  }

  /** Checks for the end of the line or a comment, without reading either. */
  expectLineEnd(): boolean {
    this.skipBlank();
    if (this.kind === TokenKind.newline || this.kind === TokenKind.hash || this.kind === TokenKind.end)
      return true;
    if (repairLineEnd(this)) return true;
    this.failUnexpected("the end of the line", lineEndFix(this));
    return false;
  }

  /** Records the words of a line that failed to parse, since it may have declared any of them. */
  recordUnparsedLine(start: number): void {
    const { text } = this.file;
    const end = text.indexOf("\n", start);
    for (const word of text.slice(start, end === -1 ? undefined : end).split(/\W+/))
      this.unparsed.words.add(word);
  }

  /** Skips blanks, line breaks and comments. */
  skipToContent(): void {
    const { kinds, starts } = this.#tokens;
    let index = this.#index;
    for (; index < this.#limit; index++) {
      const kind = kinds[index];
      if (kind === TokenKind.blank || kind === TokenKind.newline) continue;
      if (kind !== TokenKind.hash) break;
      const from = index;
      while (index < this.#limit && kinds[index] !== TokenKind.newline) index++;
      this.#comments.push(starts[from] as number, starts[index] as number, this.#isTrailing(from) ? 1 : 0);
    }
    this.reset(index);
  }

  /** Whether a token follows other content on its line. */
  #isTrailing(index: number): boolean {
    const { kinds } = this.#tokens;
    const before = kinds[index - 1] === TokenKind.blank ? index - 2 : index - 1;
    return before >= 0 && kinds[before] !== TokenKind.newline;
  }

  skipLine(): void {
    const { kinds } = this.#tokens;
    let index = this.#index;
    while (index < this.#limit && kinds[index] !== TokenKind.newline) index++;
    this.reset(index);
  }

  /**
   * Reports an error and returns `undefined`. Ignores a second error at the same position, which would only repeat the first, unless
   * parsing continued behind a fix.
   */
  fail<Code extends CatalogName>(
    name: Code,
    parameters: ParametersOf<Code>,
    span: Span = this.span,
    extra: DiagnosticExtras = {},
  ): undefined {
    const last = this.diagnostics.at(-1);
    if (last?.severity === "error" && last.fix === undefined && last.at?.span.start === span.start)
      return undefined;
    const { fix, suggestion, advice } = extra;
    const lacksAdvice =
      fix === undefined && suggestion === undefined && advice === undefined && grammarErrors.has(name);
    const habit = lacksAdvice ? habitAdvice(this) : undefined;
    const general = lacksAdvice && !("advice" in catalog[name]) ? lineForms[this.lineForm] : undefined;
    const advised = habit ?? general;
    const extras = advised === undefined ? extra : { ...extra, advice: advised };
    this.#add(diagnose(name, parameters, { file: this.file, span }, extras));
    return undefined;
  }

  /** Whether every error since a count of diagnostics has a fix, so that the text could be read. */
  isReadSince(count: number): boolean {
    return this.diagnostics
      .slice(count)
      .every(({ severity, fix }) => severity !== "error" || fix !== undefined);
  }

  /** The same for all diagnostics since an index. */
  doubtFixes(from: number): void {
    for (let index = from; index < this.diagnostics.length; index++) this.doubtFix(index);
  }

  /** Removes diagnostics that only repeat one at an index. */
  keepUntil(index: number): void {
    this.diagnostics.length = Math.min(this.diagnostics.length, index + 1);
  }

  /** Turns the fix of a diagnostic into a suggestion, because the text that follows shows that it may have been meant differently. */
  doubtFix(index: number): void {
    const doubtful = this.diagnostics[index];
    if (doubtful !== undefined) this.diagnostics[index] = asSuggestion(doubtful);
  }

  warn<Code extends CatalogName>(
    name: Code,
    parameters: ParametersOf<Code>,
    span: Span,
    extra: DiagnosticExtras = {},
  ): void {
    this.#add(diagnose(name, parameters, { file: this.file, span }, extra));
  }

  /** Adds a diagnostic. At the limit, parsing stops as if the text ended: a text with thousands of errors is not a schema. */
  #add(diagnostic: Diagnostic): void {
    if (this.diagnostics.length < maxDiagnostics) this.diagnostics.push(diagnostic);
    if (this.diagnostics.length < maxDiagnostics) return;
    this.#limit = Math.min(this.#limit, this.#index);
    this.reset(this.#limit);
  }

  failUnexpected(expected: string, extra: DiagnosticExtras = {}): undefined {
    return this.fail("unexpected", { expected, found: this.foundText() }, this.span, extra);
  }

  foundText(): string {
    switch (this.kind) {
      case TokenKind.end:
        return "the end of the file";
      case TokenKind.newline:
        return "the end of the line";
      case TokenKind.blank:
        return "a space";
      default:
        return `"${this.text.length > 40 ? `${this.text.slice(0, 40)}…` : this.text}"`;
    }
  }

  #kindAt(index: number): TokenKind {
    return index < this.#limit ? (this.#tokens.kinds[index] as TokenKind) : TokenKind.end;
  }

  #startOf(index: number): number {
    return this.#tokens.starts[index] as number;
  }
}

export type DeclarationKeyword = "enum" | "struct" | "type" | "error" | "service";
export type Keyword = HeaderKey | "import" | DeclarationKeyword;

/** The words that start a top-level line. A list of fields or methods ends before one. */
export const keywords: ReadonlySet<string> = new Set<Keyword>([
  "webrpc",
  "name",
  "version",
  "basepath",
  "import",
  "enum",
  "struct",
  "type",
  "error",
  "service",
]);

export function isKeyword(word: string): word is Keyword {
  return keywords.has(word);
}
