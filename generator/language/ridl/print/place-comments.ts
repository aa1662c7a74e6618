import type { SourceFile } from "../../source/source-file.ts";
import type { Comment, SchemaFile } from "../../syntax/tree.ts";
import type { Entry, StandaloneComment } from "./entry.ts";
import type { Statement } from "./statement.ts";

export interface PlacedComments {
  /** Pieces and comments that stand alone, in the order of the text. */
  readonly entries: readonly Entry[];
  /** Comments behind a piece. */
  readonly trailing: ReadonlyMap<Statement, string>;
}

/** Finds the line of canonical RIDL that each comment of a text belongs to, or a line of its own. */
export function placeComments(
  statements: readonly Statement[],
  { source, comments }: SchemaFile,
): PlacedComments {
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
    const line = comment.trailing ? (byLine.get(source.lineAt(comment.span.start)) ?? []) : [];
    const isHidden = comment.span.end === source.text.length && isLastLineHidden(source);
    const owner = isHidden ? line.at(-1) : ownerOf(line);
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

/** Of several pieces on one line the first that takes comments gets it, as in the reference tool; otherwise the one it stands behind. */
function ownerOf(line: readonly Statement[]): Statement | undefined {
  return line.find(({ takesComments }) => takesComments) ?? line.at(-1);
}

/** The reference tool overlooks what follows a "#" on a last line without a line break; with one it would count. */
export function isLastLineHidden({ text }: SourceFile): boolean {
  return !text.endsWith("\n") && text.lastIndexOf("#") > text.lastIndexOf("\n");
}

/** `#note ` → `# note`. Behind a "#" in a string the blank would change what the reference tool reads. */
function commentText({ span }: Comment, { text }: SourceFile, owner?: Statement): string {
  const written = text.slice(span.start, span.end).replace(/[ \t\r]+$/, "");
  return owner?.text.includes("#") ? written : written.replace(/^#(?=[A-Za-z0-9])/, "# ");
}

interface Surroundings {
  readonly before: Statement | undefined;
  readonly after: Statement | undefined;
  readonly source: SourceFile;
}

/** Comments between two pieces stand as deep as what follows; below the last line of a body those that are indented belong to it. */
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

/** Index of the first of the comments that stand right above a piece. */
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
