import type { Span } from "../../source/span.ts";
import type { Statement } from "./statement.ts";

/** What gets a line of its own: a piece, or a comment that stands alone. */
export type Entry = Statement | StandaloneComment;

export interface StandaloneComment {
  readonly kind: "comment";
  readonly text: string;
  readonly level: 0 | 1 | 2;
  readonly span: Span;
}
