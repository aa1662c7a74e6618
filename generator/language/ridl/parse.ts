import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceFile } from "../source/source-file.ts";
import type { Comment, SchemaFile } from "../syntax/tree.ts";
import { Cursor } from "./parser/cursor.ts";
import { parseDeclarations } from "./parser/declarations.ts";

/**
 * Parses any text as RIDL. Reports what it cannot parse, leaves it out of the tree, and continues at the next line or
 * declaration, so one run finds all errors.
 */
export function parse(source: SourceFile): {
  readonly file: SchemaFile;
  readonly diagnostics: readonly Diagnostic[];
} {
  const cursor = new Cursor(source);
  const { headers, imports, declarations } = parseDeclarations(cursor);
  let comments: readonly Comment[] | undefined;
  const file: SchemaFile = {
    source,
    format: "ridl",
    headers,
    imports,
    declarations,
    unparsed: cursor.unparsed,
    get comments(): readonly Comment[] {
      comments ??= cursor.comments();
      return comments;
    },
  };
  return { file, diagnostics: cursor.diagnostics };
}
