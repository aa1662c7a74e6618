import type { Scope } from "../../language/model/scope.ts";
import type { SourceFile } from "../../language/source/source-file.ts";

/** A request for completions. */
export interface CompletionRequest {
  /** The current text in the editor. */
  readonly source: SourceFile;
  readonly offset: number;
  /** The scope of the file when it was last parsed, a few keystrokes ago. */
  readonly scope: Scope;
  /** All scopes of the schema at that time. */
  readonly scopes: readonly Scope[];
  /** Parses the current text, for completions that need exact positions. */
  readonly currentScope: () => Promise<Scope | undefined>;
  readonly list: (folder: string) => readonly string[];
}
