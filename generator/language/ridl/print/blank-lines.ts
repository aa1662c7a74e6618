import type { Entry } from "./entry.ts";
import type { Piece } from "./piece.ts";

export interface Neighbours {
  readonly before: Entry;
  readonly entry: Entry;
  /** The piece that `entry` is or leads to. */
  readonly piece: Piece | undefined;
  /** Whether the text has a blank line here. */
  readonly hasGap: boolean;
}

/**
 * Where blank lines stand: one between declarations, except that lines of one kind (errors, headers, imports, plain aliases) may
 * follow each other; none below the line that opens a body, among annotations and among meta lines; elsewhere as written, but
 * never two.
 */
export function wantsBlankLine({ before, entry, piece, hasGap }: Neighbours): boolean {
  if (entry.level === 0) {
    if (before.kind === "comment") return before.level > 0 || hasGap;
    return hasGap || !mayFollow(before, piece);
  }
  if (entry.kind === "comment" || before.kind === "comment") return hasGap && !opensBody(before);
  if (opensBody(before) || entry.kind === "meta" || before.kind === "annotations") return false;
  return hasGap;
}

function mayFollow(before: Piece, piece: Piece | undefined): boolean {
  if (piece === undefined) return false;
  return before.level === 0 && !isBlock(before) && !isBlock(piece) && before.root === piece.root;
}

function isBlock({ root, hasBody }: Piece): boolean {
  return hasBody || root === "struct" || root === "enum" || root === "service";
}

function opensBody(entry: Entry): boolean {
  return entry.kind !== "comment" && entry.level === 0;
}
