import type { Span } from "../../source/span.ts";
import type { Statement } from "./statement.ts";

/** Anything that gets its own line: a statement, or a comment on its own line. */
export type Entry = Statement | StandaloneComment;

export interface StandaloneComment {
  readonly kind: "comment";
  readonly text: string;
  readonly level: 0 | 1 | 2;
  readonly span: Span;
}
