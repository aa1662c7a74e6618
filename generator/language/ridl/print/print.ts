import type { SourceFile } from "../../source/source-file.ts";
import type { Span } from "../../source/span.ts";
import type { Comment, SchemaFile } from "../../syntax/tree.ts";
import { type CommentPool, commentPool, takeComments } from "../reference-comments.ts";
import { isRidlText, type Statement, statementsOf } from "./statements.ts";

/**
 * Prints a tree as canonical RIDL: `struct  A\n -a : int` → `struct A\n  - a: int`. A tree from RIDL keeps its order, its
 * comments, and single blank lines. Any other tree gets its documentation as comments. Printing is idempotent and keeps the IR.
 * The style is that of webrpc's formatter: two spaces of indentation, one space before a comment, errors in columns. Content that
 * failed to parse is not in the tree and not printed.
 */
export function print(file: SchemaFile): string {
  const statements = statementsOf(file);
  const { lines, omitsFinalNewline } = isRidlText(file)
    ? mergeComments(statements, file)
    : { lines: linesFromTree(statements, file.otherComments?.get(file.source)), omitsFinalNewline: false };
  const text = alignLines(lines).join("\n");
  return omitsFinalNewline || text === "" ? text : `${text}\n`;
}

/** Anything that gets its own line: a statement, or a comment on its own line. */
export type Entry = Statement | StandaloneComment;

export interface StandaloneComment {
  readonly kind: "comment";
  readonly text: string;
  readonly level: 0 | 1 | 2;
  readonly span: Span;
}

/**
 * Prints a tree that has no RIDL text behind it. Documentation goes above its statement, with a blank line before documented
 * statements.
 */
function linesFromTree(statements: readonly Statement[], finalComments: readonly string[] = []): Line[] {
  const lines: Line[] = [];
  for (const [index, statement] of statements.entries()) {
    const before = statements[index - 1];
    const hasGap = before !== undefined && wantsSpaceAbove(statement, before);
    if (before !== undefined && wantsBlankLine({ before, entry: statement, statement, hasGap }))
      lines.push({ indent: 0, text: "" });
    lines.push(...otherCommentLines(statement));
    const docs = unprintedDocs(statement, lines.at(-1)?.text === "" ? undefined : before);
    for (const text of docs.flatMap((doc) => doc.split("\n")))
      lines.push({ indent: statement.level, text: text === "" ? "#" : `# ${text}` });
    const line = { indent: statement.level, text: statement.text };
    lines.push(statement.cells === undefined ? line : { ...line, cells: statement.cells });
  }
  if (finalComments.length > 0)
    lines.push({ indent: 0, text: "" }, ...finalComments.map((text) => ({ indent: 0, text })));
  return lines;
}

/** Private comments go directly above the statement. Others need a blank line below, or they would become documentation. */
function otherCommentLines({ otherComments, level }: Statement): Line[] {
  return otherComments.flatMap((text, index) => {
    const needsBlankLine =
      text !== "" && !text.startsWith("#!") && (otherComments[index + 1]?.startsWith("#!") ?? true);
    const line = text === "" ? { indent: 0, text } : { indent: level, text };
    return needsBlankLine ? [line, { indent: 0, text: "" }] : [line];
  });
}

/**
 * Returns the documentation to print. The reference tool reads "#" inside a value as a comment. Omits documentation that the tool
 * already reads from the statement itself or from the meta line directly above.
 */
function unprintedDocs({ docs, text }: Statement, before: Statement | undefined): readonly string[] {
  const above = before?.kind === "meta" ? commentPool(`${before.text}\n`).get(1) : undefined;
  const own = commentPool(`${text}\n`).get(1);
  const from = above !== undefined && docs[0] === above ? 1 : 0;
  return docs.slice(from, own !== undefined && docs.at(-1) === own ? -1 : undefined);
}

/** Separates documented errors and headers, and methods if either neighbor takes more than one line. */
function wantsSpaceAbove(statement: Statement, before: Statement): boolean {
  if (statement.otherComments.length > 0) return true;
  if (statement.level === 0) return statement.docs.length > 0;
  if (before.kind === "path") return true;
  const isMethod = statement.kind === "method" || statement.kind === "annotations";
  return (
    isMethod && (statement.docs.length > 0 || statement.kind === "annotations" || before.docs.length > 0)
  );
}

export interface PlacedComments {
  /** Statements and comments on their own line, in source order. */
  readonly entries: readonly Entry[];
  /** Comments after a statement on its line. */
  readonly trailing: ReadonlyMap<Statement, string>;
}

/** Assigns each comment of a file to a line of canonical RIDL, or to a line of its own. */
function placeComments(statements: readonly Statement[], { source, comments }: SchemaFile): PlacedComments {
  const trailing = new Map<Statement, string>();
  const entries: Entry[] = [];
  const byLine =
    comments.length === 0 ? new Map<number, Statement[]>() : statementsByLine(statements, source);
  let next = 0;
  let standalone: Comment[] = [];
  const flush = (): void => {
    entries.push(
      ...standaloneComments(standalone, { before: statements[next - 1], after: statements[next], source }),
    );
    standalone = [];
  };
  const addStatementsBefore = (offset: number): void => {
    for (
      let statement = statements[next];
      statement !== undefined && statement.span.start < offset;
      statement = statements[next]
    ) {
      flush();
      entries.push(statement);
      next++;
    }
  };
  for (const comment of comments) {
    addStatementsBefore(comment.span.start);
    const statementsOnLine = comment.trailing ? (byLine.get(source.lineAt(comment.span.start)) ?? []) : [];
    const isIgnored = comment.span.end === source.text.length && isLastCommentIgnored(source);
    const owner = isIgnored ? statementsOnLine.at(-1) : ownerOf(statementsOnLine);
    if (owner === undefined) standalone.push(comment);
    else trailing.set(owner, commentText(comment, source, owner));
  }
  addStatementsBefore(Number.POSITIVE_INFINITY);
  flush();
  return { entries, trailing };
}

function statementsByLine(statements: readonly Statement[], source: SourceFile): Map<number, Statement[]> {
  const byLine = new Map<number, Statement[]>();
  for (const statement of statements) {
    const line = source.lineAt(statement.span.start);
    const others = byLine.get(line);
    if (others === undefined) byLine.set(line, [statement]);
    else others.push(statement);
  }
  return byLine;
}

/**
 * Of several statements on one line, the first that takes comments owns the comment, as in the reference tool. Otherwise the last
 * one does.
 */
function ownerOf(statementsOnLine: readonly Statement[]): Statement | undefined {
  return statementsOnLine.find(({ takesComments }) => takesComments) ?? statementsOnLine.at(-1);
}

/** The reference tool ignores a comment on a last line without a line break. Adding a line break would change the IR. */
function isLastCommentIgnored({ text }: SourceFile): boolean {
  return !text.endsWith("\n") && text.lastIndexOf("#") > text.lastIndexOf("\n");
}

/** `#note ` → `# note`. After a "#" in a string the added space would change what the reference tool reads. */
function commentText({ span }: Comment, { text }: SourceFile, owner?: Statement): string {
  const written = text.slice(span.start, span.end).replace(/[ \t\r]+$/, "");
  return owner?.text.includes("#") ? written : written.replace(/^#(?=[A-Za-z0-9])/, "# ");
}

interface Surroundings {
  readonly before: Statement | undefined;
  readonly after: Statement | undefined;
  readonly source: SourceFile;
}

/**
 * Comments between two statements are indented like the statement below them. After the last line of a body, indented comments
 * still belong to the body.
 */
function standaloneComments(
  comments: readonly Comment[],
  { before, after, source }: Surroundings,
): StandaloneComment[] {
  const toEntry = (comment: Comment, level: StandaloneComment["level"]): StandaloneComment => {
    return { kind: "comment", text: commentText(comment, source), level, span: comment.span };
  };
  if (after !== undefined && after.level > 0) return comments.map((comment) => toEntry(comment, after.level));
  let inBody = before !== undefined && (before.level > 0 || isBodyOwner(before));
  const attached = after === undefined ? comments.length : firstAttachedIndex(comments, after, source);
  return comments.map((comment, index) => {
    inBody &&= index < attached && (isIndented(comment, source) || comment.trailing);
    return toEntry(comment, inBody ? 1 : 0);
  });
}

function isBodyOwner({ root }: Statement): boolean {
  return root === "struct" || root === "enum" || root === "service";
}

/** Index of the first comment in the block directly above a statement. */
function firstAttachedIndex(comments: readonly Comment[], statement: Statement, source: SourceFile): number {
  let line = source.lineAt(statement.span.start);
  let index = comments.length;
  while (index > 0 && source.lineAt((comments[index - 1] as Comment).span.start) === line - 1) {
    line--;
    index--;
  }
  return index;
}

function isIndented({ span }: Comment, { text }: SourceFile): boolean {
  return span.start > 0 && text[span.start - 1] !== "\n";
}

export interface MergedLines {
  readonly lines: readonly Line[];
  /** Whether the output must not end with a line break. */
  readonly omitsFinalNewline: boolean;
}

/**
 * Puts the comments of a file between and after its statements, and adds blank lines. The reference tool assigns a comment to the
 * statement on its line or directly below. To keep the IR, blank lines are added or removed only where the line above has no
 * unassigned comment.
 */
function mergeComments(statements: readonly Statement[], file: SchemaFile): MergedLines {
  const { entries, trailing } = placeComments(statements, file);
  const following = nextStatements(entries);
  const output = new Output(file.source);
  for (const [index, entry] of entries.entries()) {
    const comment = entry.kind === "comment" ? undefined : trailing.get(entry);
    output.add(entry, following[index], comment);
  }
  const omitsFinalNewline = entries.at(-1)?.kind !== "comment" && isLastCommentIgnored(file.source);
  return { lines: output.lines, omitsFinalNewline };
}

/** For each entry, the statement itself or the next one. */
function nextStatements(entries: readonly Entry[]): (Statement | undefined)[] {
  const found: (Statement | undefined)[] = new Array(entries.length);
  let statement: Statement | undefined;
  for (let index = entries.length - 1; index >= 0; index--) {
    const entry = entries[index] as Entry;
    if (entry.kind !== "comment") statement = entry;
    found[index] = statement;
  }
  return found;
}

/** The lines so far, and their comments that the reference tool has not assigned yet. */
class Output {
  readonly lines: Line[] = [];
  readonly #source: SourceFile;
  readonly #pool: CommentPool = new Map();
  #before: Entry | undefined;

  constructor(source: SourceFile) {
    this.#source = source;
  }

  add(entry: Entry, statement: Statement | undefined, comment: string | undefined): void {
    if (this.#before !== undefined && this.#needsBlankLine(this.#before, entry, statement))
      this.lines.push({ indent: 0, text: "" });
    this.lines.push(lineOf(entry, comment));
    const lineNumber = this.lines.length;
    const text = commentOnLine(entry.text, comment);
    if (text !== undefined) this.#pool.set(lineNumber, text);
    if (entry.kind !== "comment" && entry.takesComments) takeComments(this.#pool, lineNumber);
    this.#before = entry;
  }

  #needsBlankLine(before: Entry, entry: Entry, statement: Statement | undefined): boolean {
    const gap = this.#source.lineAt(entry.span.start) - this.#source.lineAt(before.span.end);
    const hasGap = gap > 1;
    return this.#pool.has(this.lines.length) ? hasGap : wantsBlankLine({ before, entry, statement, hasGap });
  }
}

/** Returns the comment that the reference tool reads from a line. Skips the lexer for lines without "#". */
function commentOnLine(text: string, comment = ""): string | undefined {
  if (comment === "" && !text.includes("#")) return undefined;
  return commentPool(`${text} ${comment}\n`).get(1);
}

function lineOf(entry: Entry, comment: string | undefined): Line {
  const line = { indent: entry.level, text: entry.text, ...(comment === undefined ? {} : { comment }) };
  return entry.kind === "comment" || entry.cells === undefined ? line : { ...line, cells: entry.cells };
}

/** A line of output: its text without indentation, or columns, and its trailing comment. */
export interface Line {
  readonly indent: number;
  readonly text: string;
  readonly cells?: readonly string[];
  readonly comment?: string;
}

/** Renders lines. Aligns the columns of consecutive lines, such as error declarations. */
function alignLines(lines: readonly Line[]): string[] {
  const texts: string[] = [];
  for (let start = 0; start < lines.length; ) {
    let end = start;
    while (lines[end]?.cells !== undefined) end++;
    if (end === start) end++;
    const run = lines.slice(start, end);
    const widths = columnWidths(run);
    for (const line of run) texts.push(renderLine(line, widths));
    start = end;
  }
  return texts;
}

function columnWidths(run: readonly Line[]): number[] {
  const widths: number[] = [];
  for (const { cells = [] } of run) {
    for (const [index, cell] of cells.entries()) {
      // The last column of a line needs no padding.
      if (index < cells.length - 1) widths[index] = Math.max(widths[index] ?? 0, widthOf(cell));
    }
  }
  return widths;
}

function renderLine({ indent, text, cells, comment }: Line, widths: readonly number[]): string {
  const content = cells === undefined ? text : joinCells(cells, widths);
  const whole = comment === undefined ? content : `${content} ${comment}`;
  return whole === "" ? "" : `${"  ".repeat(indent)}${whole}`;
}

function joinCells(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, index) => (index === cells.length - 1 ? cell : pad(cell, widths[index] ?? 0)))
    .join(" ");
}

function pad(cell: string, width: number): string {
  return cell + " ".repeat(Math.max(0, width - widthOf(cell)));
}

/** Counts characters, so that a surrogate pair is one. */
function widthOf(text: string): number {
  return [...text].length;
}

export interface Neighbors {
  readonly before: Entry;
  readonly entry: Entry;
  /** `entry` itself, or the next statement if `entry` is a comment. */
  readonly statement: Statement | undefined;
  /** Whether the source has a blank line here. */
  readonly hasGap: boolean;
}

/**
 * Decides whether a blank line goes before an entry. Declarations are separated by one; errors, headers, imports and plain
 * aliases may follow each other directly. There is none after the line that opens a body, between annotations, or between meta
 * lines. Elsewhere, one blank line of the source is kept.
 */
function wantsBlankLine({ before, entry, statement, hasGap }: Neighbors): boolean {
  if (entry.level === 0) {
    if (before.kind === "comment") return before.level > 0 || hasGap;
    return hasGap || !mayFollow(before, statement);
  }
  if (entry.kind === "comment" || before.kind === "comment") return hasGap && !opensBody(before);
  if (opensBody(before) || entry.kind === "meta" || entry.kind === "route" || before.kind === "annotations")
    return false;
  return hasGap;
}

function mayFollow(before: Statement, statement: Statement | undefined): boolean {
  if (statement === undefined) return false;
  return before.level === 0 && !isBlock(before) && !isBlock(statement) && before.root === statement.root;
}

function isBlock({ root, hasBody }: Statement): boolean {
  return hasBody || root === "struct" || root === "enum" || root === "service";
}

function opensBody(entry: Entry): boolean {
  return entry.kind !== "comment" && entry.level === 0;
}
