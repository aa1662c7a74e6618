import type { CatalogName, ParametersOf } from "../diagnostics/catalog.ts";
import type { DiagnosticExtras } from "../diagnostics/diagnostic.ts";
import type { Span } from "../source/span.ts";
import type { SchemaFile } from "../syntax/tree.ts";
import type { Scope } from "./scope.ts";

/** Reports at a place of the file under check, or of another one. */
export type Report = <Name extends CatalogName>(
  name: Name,
  parameters: ParametersOf<Name>,
  span: Span,
  extra?: ReportExtra | (() => ReportExtra),
) => void;

/** `file` if the place is in another file than the one under check. A function is called only if the finding will be shown. */
export type ReportExtra = DiagnosticExtras & { readonly file?: SchemaFile; readonly missing?: MissingName };

/** A name that is declared nowhere. All findings of one are told together: see missing-names.ts. */
export interface MissingName {
  readonly name: string;
  /** The declared name that it may be a misspelling of. */
  readonly meant: string | undefined;
}

/** One law of the language. Looks at one file and what is in its scope, and changes nothing. */
export type Rule = (scope: Scope, report: Report) => void;
