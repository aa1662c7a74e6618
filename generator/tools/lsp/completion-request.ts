import type { Scope } from "../../language/model/scope.ts";
import type { SourceFile } from "../../language/source/source-file.ts";

/** A place where somebody asks what may be written. */
export interface CompletionRequest {
  /** As it stands in the editor, half typed. */
  readonly source: SourceFile;
  readonly offset: number;
  /** Of that file, as it was a few keys ago. */
  readonly scope: Scope;
  /** All scopes of the schema, then. */
  readonly scopes: readonly Scope[];
  /** The scope of the file as it stands now, for what hangs on places. */
  readonly currentScope: () => Promise<Scope | undefined>;
  readonly list: (folder: string) => readonly string[];
}
