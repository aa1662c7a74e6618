import type { Span } from "../../source/span.ts";

/** One line of canonical RIDL without its comments. */
export interface Statement {
  readonly text: string;
  /** 0 for a top-level line, 1 for a line of its body, 2 for meta lines. Each level indents by two spaces. */
  readonly level: 0 | 1 | 2;
  readonly kind: StatementKind;
  /** Kind of the top-level line that it belongs to. */
  readonly root: RootKind;
  readonly hasBody: boolean;
  /** Its span in the RIDL text. */
  readonly span: Span;
  /** Whether the reference tool looks for comments on this line and the lines above it. */
  readonly takesComments: boolean;
  /** Documentation of a tree without RIDL text. */
  readonly docs: readonly string[];
  /** Comments above the documentation that are not part of it, "#" included. */
  readonly otherComments: readonly string[];
  /** Columns to align with those of neighbouring lines; they replace `text`. */
  readonly cells?: readonly string[];
}

export type RootKind = "header" | "import" | "alias" | "enum" | "struct" | "error" | "service";
export type StatementKind = RootKind | "item" | "annotations" | "method" | "meta" | "path" | "route";
