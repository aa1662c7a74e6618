import type { SourceFile } from "../../source/source-file.ts";
import type { Comment, SchemaFile } from "../../syntax/tree.ts";
import type { Entry, StandaloneComment } from "./entry.ts";
import type { Statement } from "./statement.ts";

export interface PlacedComments {
  /** Statements and comments on their own line, in source order. */
  readonly entries: readonly Entry[];
  /** Comments after a statement on its line. */
  readonly trailing: ReadonlyMap<Statement, string>;
}

/** Assigns each comment of a file to a line of canonical RIDL, or to a line of its own. */
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
export function isLastCommentIgnored({ text }: SourceFile): boolean {
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
