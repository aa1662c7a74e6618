import type { CatalogName, ParametersOf } from "../../diagnostics/catalog.ts";
import { type Diagnostic, diagnose, type Extra } from "../../diagnostics/diagnostic.ts";
import type { SourceFile } from "../../source/source-file.ts";
import type { Span } from "../../source/span.ts";
import type { Comment, Name } from "../../syntax/tree.ts";
import { lex } from "../lexer.ts";
import { TokenKind, type Tokens } from "../token.ts";

/**
 * Where the parser stands in the tokens, and what it has to say so far. A grammar rule that cannot go on reports once through
 * `fail`, answers `undefined`, and leaves it to the list it stands in to go on with the next line.
 */
export class Cursor {
  readonly file: SourceFile;
  readonly diagnostics: Diagnostic[] = [];
  readonly comments: Comment[] = [];
  readonly #tokens: Tokens;
  /** Tokens before this index are read; a NUL ends the schema. */
  readonly #limit: number;
  #index = 0;

  constructor(file: SourceFile) {
    this.file = file;
    this.#tokens = lex(file.text);
    const last = this.#tokens.count - 1;
    this.#limit = this.#tokens.kinds[last] === TokenKind.unread ? last : this.#tokens.count;
    if (this.#limit === last)
      this.warn("text-after-nul", {}, { start: this.#startOf(last), end: this.#startOf(last) + 1 });
  }

  get kind(): TokenKind {
    return this.#kindAt(this.#index);
  }

  /** Kind of the token after the current one. */
  get nextKind(): TokenKind {
    return this.#kindAt(this.#index + 1);
  }

  /** Offset of the current token. */
  get start(): number {
    return this.#startOf(Math.min(this.#index, this.#limit));
  }

  get text(): string {
    return this.slice(this.start, this.#index < this.#limit ? this.#startOf(this.#index + 1) : this.start);
  }

  get span(): Span {
    return { start: this.start, end: this.start + this.text.length };
  }

  slice(start: number, end: number): string {
    return this.#tokens.text.slice(start, end);
  }

  advance(): void {
    if (this.#index < this.#limit) this.#index++;
  }

  /** A place to come back to with `reset`. */
  mark(): number {
    return this.#index;
  }

  reset(mark: number): void {
    this.#index = mark;
  }

  take(kind: TokenKind): boolean {
    if (this.kind !== kind) return false;
    this.#index++;
    return true;
  }

  /** Blanks inside of a line never matter where one is allowed at all. */
  skipBlank(): void {
    this.take(TokenKind.blank);
  }

  /** A word, as a name. */
  takeWord(): Name | undefined {
    if (this.kind !== TokenKind.word) return undefined;
    const { span, text } = this;
    this.#index++;
    return { text, span };
  }

  /** `takeWord`, or a fault that says what the word would have been. */
  expectWord(expected: string): Name | undefined {
    return this.takeWord() ?? this.failUnexpected(expected);
  }

  /** The token, directly here; a blank before it is told apart from something else. */
  expect(kind: TokenKind, symbol: string): boolean {
    if (this.take(kind)) return true;
    if (this.kind === TokenKind.blank && this.nextKind === kind) {
      this.fail("misplaced-blank", { before: `"${symbol}"` }, this.span, {
        fix: { title: "Remove the blank", file: this.file, edits: [{ span: this.span, text: "" }] },
      });
    } else this.failUnexpected(`"${symbol}"`);
    return false;
  }

  /** `[ "#" comment ]` and the end of the line, which is not read. */
  expectLineEnd(): boolean {
    this.skipBlank();
    if (this.kind === TokenKind.hash) this.skipComment();
    if (this.kind === TokenKind.newline || this.kind === TokenKind.end) return true;
    this.failUnexpected("the end of the line");
    return false;
  }

  /** Reads a comment up to its line break, which stays. */
  skipComment(): void {
    const start = this.start;
    this.#skipWithinLine();
    const raw = this.slice(start + 1, this.start).replace(/\r$/, "");
    const isPrivate = raw.startsWith("!");
    const line = this.file.lineAt(start);
    this.comments.push({
      text: (isPrivate ? raw.slice(1) : raw).replace(/^ /, "").trimEnd(),
      private: isPrivate,
      line,
      trailing: this.slice(this.file.lineStarts[line - 1] ?? 0, start).trim() !== "",
      span: { start, end: start + 1 + raw.length },
    });
  }

  /** After a fault: on to the line break. */
  skipLine(): void {
    this.#skipWithinLine();
  }

  /** Reports and answers `undefined`. A second fault at the same place would only repeat the first. */
  fail<Code extends CatalogName>(
    name: Code,
    parameters: ParametersOf<Code>,
    span: Span = this.span,
    extra: Extra = {},
  ): undefined {
    const last = this.diagnostics.at(-1);
    if (last?.severity === "error" && last.at?.span.start === span.start) return undefined;
    this.diagnostics.push(diagnose(name, parameters, { file: this.file, span }, extra));
    return undefined;
  }

  warn<Code extends CatalogName>(
    name: Code,
    parameters: ParametersOf<Code>,
    span: Span,
    extra: Extra = {},
  ): void {
    this.diagnostics.push(diagnose(name, parameters, { file: this.file, span }, extra));
  }

  failUnexpected(expected: string): undefined {
    return this.fail("unexpected", { expected, found: this.#found() });
  }

  #found(): string {
    switch (this.kind) {
      case TokenKind.end:
        return "the end of the file";
      case TokenKind.newline:
        return "the end of the line";
      case TokenKind.blank:
        return "a blank";
      default:
        return `"${this.text.length > 40 ? `${this.text.slice(0, 40)}…` : this.text}"`;
    }
  }

  #skipWithinLine(): void {
    while (this.kind !== TokenKind.newline && this.kind !== TokenKind.end) this.#index++;
  }

  #kindAt(index: number): TokenKind {
    return index < this.#limit ? (this.#tokens.kinds[index] as TokenKind) : TokenKind.end;
  }

  #startOf(index: number): number {
    return this.#tokens.starts[index] as number;
  }
}
