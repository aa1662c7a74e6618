import type { SourceFile } from "../../source/source-file.ts";
import type { Comment, SchemaFile } from "../../syntax/tree.ts";
import type { Entry, OwnComment } from "./entry.ts";
import type { Piece } from "./piece.ts";

export interface PlacedComments {
  /** Pieces and comments that stand alone, in the order of the text. */
  readonly entries: readonly Entry[];
  /** Comments behind a piece. */
  readonly trailing: ReadonlyMap<Piece, string>;
}

/** Finds the line of canonical RIDL that each comment of a text belongs to, or a line of its own. */
export function placeComments(pieces: readonly Piece[], { source, comments }: SchemaFile): PlacedComments {
  const trailing = new Map<Piece, string>();
  const entries: Entry[] = [];
  const byLine = comments.length === 0 ? new Map<number, Piece[]>() : piecesByLine(pieces, source);
  let next = 0;
  let alone: Comment[] = [];
  const flush = (): void => {
    entries.push(...ownComments(alone, { before: pieces[next - 1], after: pieces[next], source }));
    alone = [];
  };
  const addPiecesBefore = (offset: number): void => {
    for (let piece = pieces[next]; piece !== undefined && piece.span.start < offset; piece = pieces[next]) {
      flush();
      entries.push(piece);
      next++;
    }
  };
  for (const comment of comments) {
    addPiecesBefore(comment.span.start);
    const line = comment.trailing ? (byLine.get(source.lineAt(comment.span.start)) ?? []) : [];
    const isHidden = comment.span.end === source.text.length && isLastLineHidden(source);
    const owner = isHidden ? line.at(-1) : ownerOf(line);
    if (owner === undefined) alone.push(comment);
    else trailing.set(owner, commentText(comment, source, owner));
  }
  addPiecesBefore(Number.POSITIVE_INFINITY);
  flush();
  return { entries, trailing };
}

function piecesByLine(pieces: readonly Piece[], source: SourceFile): Map<number, Piece[]> {
  const byLine = new Map<number, Piece[]>();
  for (const piece of pieces) {
    const line = source.lineAt(piece.span.start);
    const others = byLine.get(line);
    if (others === undefined) byLine.set(line, [piece]);
    else others.push(piece);
  }
  return byLine;
}

/** Of several pieces on one line the first that takes comments gets it, as in the reference tool; otherwise the one it stands behind. */
function ownerOf(line: readonly Piece[]): Piece | undefined {
  return line.find(({ takesComments }) => takesComments) ?? line.at(-1);
}

/** The reference tool overlooks what follows a "#" on a last line without a line break; with one it would count. */
export function isLastLineHidden({ text }: SourceFile): boolean {
  return !text.endsWith("\n") && text.lastIndexOf("#") > text.lastIndexOf("\n");
}

/** `#note ` → `# note`. Behind a "#" in a string the blank would change what the reference tool reads. */
function commentText({ span }: Comment, { text }: SourceFile, owner?: Piece): string {
  const written = text.slice(span.start, span.end).replace(/[ \t\r]+$/, "");
  return owner?.text.includes("#") ? written : written.replace(/^#(?=[A-Za-z0-9])/, "# ");
}

interface Surroundings {
  readonly before: Piece | undefined;
  readonly after: Piece | undefined;
  readonly source: SourceFile;
}

/** Comments between two pieces stand as deep as what follows; below the last line of a body those that are indented belong to it. */
function ownComments(comments: readonly Comment[], { before, after, source }: Surroundings): OwnComment[] {
  const made = (comment: Comment, level: OwnComment["level"]): OwnComment => {
    return { kind: "comment", text: commentText(comment, source), level, span: comment.span };
  };
  if (after !== undefined && after.level > 0) return comments.map((comment) => made(comment, after.level));
  let inBody = before !== undefined && (before.level > 0 || isBodyOwner(before));
  const attached = after === undefined ? comments.length : attachedFrom(comments, after, source);
  return comments.map((comment, index) => {
    inBody &&= index < attached && (isIndented(comment, source) || comment.trailing);
    return made(comment, inBody ? 1 : 0);
  });
}

function isBodyOwner({ root }: Piece): boolean {
  return root === "struct" || root === "enum" || root === "service";
}

/** Index of the first of the comments that stand right above a piece. */
function attachedFrom(comments: readonly Comment[], piece: Piece, source: SourceFile): number {
  let line = source.lineAt(piece.span.start);
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
