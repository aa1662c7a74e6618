import type { CatalogName, ParametersOf } from "../../diagnostics/catalog.ts";
import { type Diagnostic, type DiagnosticExtras, diagnose } from "../../diagnostics/diagnostic.ts";
import type { SourceFile } from "../../source/source-file.ts";
import type { Span } from "../../source/span.ts";
import type { Comment, Name, ServiceNode } from "../../syntax/tree.ts";
import { lex } from "../lexer.ts";
import { TokenKind, type Tokens } from "../token.ts";
import { Word } from "./nodes.ts";
import { lineEndFix, repairSymbol } from "./repair.ts";

/** Most faults of one text, far above what is shown. */
const maxDiagnostics = 1_000;

/**
 * Where the parser stands in the tokens, and what it has to say so far. A grammar rule that cannot go on reports once through
 * `fail`, answers `undefined`, and leaves it to the list it stands in to go on with the next line.
 */
export class Cursor {
  readonly file: SourceFile;
  readonly diagnostics: Diagnostic[] = [];
  /** What the tree will lack: see `Gaps`. */
  readonly unparsed: { readonly words: Set<string>; imports: boolean; readonly services: Set<ServiceNode> } =
    {
      words: new Set(),
      imports: false,
      services: new Set(),
    };
  /** Kind of the current token. */
  kind: TokenKind = TokenKind.end;
  readonly #tokens: Tokens;
  /** Tokens before this index are read; a NUL ends the schema. */
  #limit: number;
  #index = 0;
  /** Start, end and trailing of each comment, side by side: a well documented schema has more comments than anything else. */
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

  /** The comments read so far, in order of appearance. */
  comments(): Comment[] {
    const numbers = this.#comments;
    const found: Comment[] = [];
    for (let at = 0; at < numbers.length; at += 3) {
      const span = { start: numbers[at] as number, end: numbers[at + 1] as number };
      found.push({ span, trailing: numbers[at + 2] === 1 });
    }
    return found;
  }

  /** Kind of the token after the current one. */
  get nextKind(): TokenKind {
    return this.#kindAt(this.#index + 1);
  }

  /** Offset of the current token. */
  get start(): number {
    return this.#startOf(this.#index);
  }

  /** Offset just past the current token; at the end of the schema, that end. */
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

  /** A place to come back to with `reset`. */
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

  /** Blanks inside of a line never matter where one is allowed at all. */
  skipBlank(): void {
    this.take(TokenKind.blank);
  }

  /** A word, as a name. */
  takeWord(): Name | undefined {
    if (this.kind !== TokenKind.word) return undefined;
    const name = new Word(this.text, this.start);
    this.reset(this.#index + 1);
    return name;
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
        fix: { title: "Remove the space", file: this.file, edits: [{ span: this.span, text: "" }] },
      });
    } else if (symbol === ":" || symbol === "=") {
      if (repairSymbol(this, symbol)) return true;
      this.failUnexpected(`"${symbol}"`);
    } else this.failUnexpected(`"${symbol}"`);
    return false;
  }

  /** `[ "#" comment ]` and the end of the line, neither of which is read. */
  expectLineEnd(): boolean {
    this.skipBlank();
    if (this.kind === TokenKind.newline || this.kind === TokenKind.hash || this.kind === TokenKind.end)
      return true;
    this.failUnexpected("the end of the line", lineEndFix(this));
    return false;
  }

  /** What the line of a declaration that is not in the tree may have declared. */
  recordUnparsedLine(start: number): void {
    const { text } = this.file;
    const end = text.indexOf("\n", start);
    for (const word of text.slice(start, end === -1 ? undefined : end).split(/\W+/))
      this.unparsed.words.add(word);
  }

  /** Past blanks, line breaks and comments: to the next thing that says something. */
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

  /** Whether something but a blank stands before a token on its line. */
  #isTrailing(index: number): boolean {
    const { kinds } = this.#tokens;
    const before = kinds[index - 1] === TokenKind.blank ? index - 2 : index - 1;
    return before >= 0 && kinds[before] !== TokenKind.newline;
  }

  /** On to the line break. */
  skipLine(): void {
    const { kinds } = this.#tokens;
    let index = this.#index;
    while (index < this.#limit && kinds[index] !== TokenKind.newline) index++;
    this.reset(index);
  }

  /** Reports and answers `undefined`. A second fault at the same place would only repeat the first. */
  fail<Code extends CatalogName>(
    name: Code,
    parameters: ParametersOf<Code>,
    span: Span = this.span,
    extra: DiagnosticExtras = {},
  ): undefined {
    const last = this.diagnostics.at(-1);
    if (last?.severity === "error" && last.at?.span.start === span.start) return undefined;
    this.#add(diagnose(name, parameters, { file: this.file, span }, extra));
    return undefined;
  }

  warn<Code extends CatalogName>(
    name: Code,
    parameters: ParametersOf<Code>,
    span: Span,
    extra: DiagnosticExtras = {},
  ): void {
    this.#add(diagnose(name, parameters, { file: this.file, span }, extra));
  }

  /** A text with thousands of faults is no schema: the reading ends there, as if the text did. */
  #add(diagnostic: Diagnostic): void {
    this.diagnostics.push(diagnostic);
    if (this.diagnostics.length < maxDiagnostics) return;
    this.#limit = Math.min(this.#limit, this.#index);
    this.reset(this.#limit);
  }

  failUnexpected(expected: string, extra: DiagnosticExtras = {}): undefined {
    return this.fail("unexpected", { expected, found: this.found() }, this.span, extra);
  }

  /** The current token, in words. */
  found(): string {
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

  #kindAt(index: number): TokenKind {
    return index < this.#limit ? (this.#tokens.kinds[index] as TokenKind) : TokenKind.end;
  }

  #startOf(index: number): number {
    return this.#tokens.starts[index] as number;
  }
}
