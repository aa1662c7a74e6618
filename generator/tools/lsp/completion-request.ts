import type { Scope } from "../../language/model/scope.ts";
import type { SourceFile } from "../../language/source/source-file.ts";

/** A cursor position at which the editor requests suggestions. */
export interface CompletionRequest {
  /** The current text in the editor, possibly half typed. */
  readonly source: SourceFile;
  readonly offset: number;
  /** The scope of the file. May be a few keystrokes old. */
  readonly scope: Scope;
  /** All scopes of the schema, of the same age as `scope`. */
  readonly scopes: readonly Scope[];
  /** Parses the current text. Needed where offsets matter. */
  readonly currentScope: () => Promise<Scope | undefined>;
  readonly list: (folder: string) => readonly string[];
}
