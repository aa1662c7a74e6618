import { memoize } from "../source/memoize.ts";
import type { Comment, SchemaFile } from "./tree.ts";

export interface Documented {
  readonly span: { readonly start: number };
  /** Annotations come between a method's documentation and the method. */
  readonly annotations?: readonly { readonly span: { readonly start: number } }[];
  readonly name: { readonly span: { readonly start: number } };
}

/**
 * Returns the documentation of a node, line by line: the comment lines directly above it, then those between its annotations and
 * the node, then the trailing comment on its line. A blank line separates a comment from the next node. `#!` comments are
 * private.
 */
export function docsOf(file: SchemaFile, node: Documented): readonly string[] {
  const explicit = file.docs?.get(node);
  if (explicit !== undefined) return explicit;
  const comments = commentsOf(file, node);
  return comments.length === 0
    ? noDocs
    : comments.map((comment) => publicText(file, comment)).filter((text) => text !== undefined);
}

const noDocs: readonly string[] = [];

const noComments: readonly Comment[] = [];

/** Returns the comments at the positions of documentation, including private ones. */
export function commentsOf(file: SchemaFile, node: Documented): readonly Comment[] {
  const byLine = commentsByLine(file);
  if (byLine.size === 0) return noComments;
  const last = file.source.lineAt(node.span.start);
  const [annotation] = node.annotations ?? [];
  const first = annotation === undefined ? last : Math.min(last, file.source.lineAt(annotation.span.start));
  let top = first;
  while (byLine.get(top - 1)?.trailing === false) top--;
  const found: Comment[] = [];
  for (let line = top; line <= last; line++) {
    const comment = byLine.get(line);
    if (comment !== undefined) found.push(comment);
  }
  return found;
}

/** Returns a comment's text without "#" and the space after it, or undefined for a private comment, `#! like this`. */
export function publicText({ source }: SchemaFile, { span }: Comment): string | undefined {
  const { text } = source;
  const start = span.start + 1;
  if (text[start] === "!" && start < span.end) return undefined;
  return text.slice(text[start] === " " ? start + 1 : start, span.end).trimEnd();
}

export function hasCommentLine(file: SchemaFile, line: number): boolean {
  return commentsByLine(file).get(line)?.trailing === false;
}

const commentsByLine = memoize(
  ({ comments, source }: SchemaFile): ReadonlyMap<number, Comment> =>
    new Map(comments.map((comment) => [source.lineAt(comment.span.start), comment])),
);
