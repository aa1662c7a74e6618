import type { Span } from "../../source/span.ts";
import type { Piece } from "./piece.ts";

/** What gets a line of its own: a piece, or a comment that stands alone. */
export type Entry = Piece | OwnComment;

export interface OwnComment {
  readonly kind: "comment";
  readonly text: string;
  readonly level: 0 | 1 | 2;
  readonly span: Span;
}
