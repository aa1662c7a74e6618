import type { CatalogName, ParametersOf } from "../diagnostics/catalog.ts";
import type { DiagnosticExtras } from "../diagnostics/diagnostic.ts";
import type { Span } from "../source/span.ts";
import type { SchemaFile } from "../syntax/tree.ts";
import type { Scope } from "./scope.ts";

/** Reports a finding in the checked file or in another one. */
export type Report = <Name extends CatalogName>(
  name: Name,
  parameters: ParametersOf<Name>,
  span: Span,
  extra?: ReportExtra | (() => ReportExtra),
) => void;

/** `file` is set if the position is in another file. A function is called only for findings that are shown. */
export type ReportExtra = DiagnosticExtras & { readonly file?: SchemaFile; readonly missing?: MissingName };

/** An undeclared name. All findings about one name are merged: see missing-names.ts. */
export interface MissingName {
  readonly name: string;
  /** The declared name that it probably misspells. */
  readonly suggestion: string | undefined;
}

/** One rule of the language. Inspects one file and its scope, and changes nothing. */
export type Rule = (scope: Scope, report: Report) => void;
