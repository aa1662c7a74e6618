import type { SourceFile } from "../source/source-file.ts";
import type { Span } from "../source/span.ts";
import type { CatalogEntry } from "./catalog/entry.ts";
import { type CatalogName, catalog, type ParametersOf } from "./catalog.ts";

export type Severity = "error" | "warning";

/** A place in a text. */
export interface Location {
  readonly file: SourceFile;
  readonly span: Span;
}

/** A second place that explains the first: where the name was first declared, which import led here. */
export interface Note {
  readonly message: string;
  readonly at?: Location;
}

/** Edits of one file that mend the fault when applied together. */
export interface Fix {
  readonly title: string;
  readonly file: SourceFile;
  readonly edits: readonly { readonly span: Span; readonly text: string }[];
}

/** One fault in what the user wrote. Data, never thrown. */
export interface Diagnostic {
  /** Stable for ever, as `RK101`. */
  readonly code: string;
  readonly name: CatalogName;
  readonly severity: Severity;
  /** One sentence: what is wrong. */
  readonly message: string;
  /** One sentence: what to do. */
  readonly advice?: string;
  /** Absent when no text could be read at all; then `path` alone says which file. */
  readonly at?: Location;
  readonly path: string;
  readonly notes: readonly Note[];
  readonly fix?: Fix;
}

/** Where a fault lies: in a text, or in a file that could not be read as text. */
export type DiagnosticLocation = Location | { readonly path: string };

export interface DiagnosticExtras {
  readonly notes?: readonly Note[];
  readonly fix?: Fix;
  /** Overrides the catalogue's advice, where the place knows better. */
  readonly advice?: string;
}

/** Builds a diagnostic from the catalogue: `diagnose("unknown-type", { name: "Usr" }, { file, span })`. */
export function diagnose<Name extends CatalogName>(
  name: Name,
  parameters: ParametersOf<Name>,
  place: DiagnosticLocation,
  extra: DiagnosticExtras = {},
): Diagnostic {
  const entry: CatalogEntry = catalog[name];
  const values: Readonly<Record<string, string | number>> = parameters;
  const inYaml = /\.ya?ml$/.test("file" in place ? place.file.path : place.path) ? entry.inYaml : undefined;
  const message = (inYaml?.message ?? entry.message).replace(/\{(\w+)\}/g, (_, key: string) =>
    truncated(String(values[key])),
  );
  const advice = extra.advice ?? inYaml?.advice ?? entry.advice;
  return {
    code: entry.code,
    name,
    severity: entry.severity,
    message,
    ...(advice === undefined ? {} : { advice }),
    ...("file" in place
      ? { at: { file: place.file, span: place.span }, path: place.file.path }
      : { path: place.path }),
    notes: extra.notes ?? [],
    ...(extra.fix === undefined ? {} : { fix: extra.fix }),
  };
}

/** Longest text of the schema in a message, in characters: a name of a megabyte helps nobody. */
const maxParameterLength = 200;

function truncated(text: string): string {
  return text.length <= maxParameterLength ? text : `${text.slice(0, maxParameterLength)}…`;
}

/** Under `--strict` what the reference tool lets pass is refused. */
export function underStrict(diagnostic: Diagnostic): Diagnostic {
  return diagnostic.severity === "warning" ? { ...diagnostic, severity: "error" } : diagnostic;
}
