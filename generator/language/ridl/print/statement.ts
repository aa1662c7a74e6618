import type { Span } from "../../source/span.ts";

/** One line of canonical RIDL without its comments. */
export interface Statement {
  readonly text: string;
  /** 0 for a line of the file itself, 1 for what hangs on it, 2 for meta lines. Indentation is two blanks a level. */
  readonly level: 0 | 1 | 2;
  readonly kind: StatementKind;
  /** Kind of the declaration that it belongs to. */
  readonly root: RootKind;
  /** Whether lines hang on it. */
  readonly hasBody: boolean;
  /** Where it stands in a RIDL text. */
  readonly span: Span;
  /** Whether the reference tool looks for comments here: those of this line and of the lines above it. */
  readonly takesComments: boolean;
  /** Documentation that no text holds, for a tree that comes from elsewhere. */
  readonly docs: readonly string[];
  /** Comments above its documentation that are none, "#" included. */
  readonly otherComments: readonly string[];
  /** Columns to be aligned with those of the lines around it; they replace `text`. */
  readonly cells?: readonly string[];
}

export type RootKind = "header" | "import" | "alias" | "enum" | "struct" | "error" | "service";
export type StatementKind = RootKind | "item" | "annotations" | "method" | "meta";
