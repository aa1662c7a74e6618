import type { SourceFile } from "../source/source-file.ts";
import type { Span } from "../source/span.ts";
import type { CatalogEntry } from "./catalog/entry.ts";
import { type CatalogName, catalog, type ParametersOf } from "./catalog.ts";

export type Severity = "error" | "warning";

export interface Location {
  readonly file: SourceFile;
  readonly span: Span;
}

/** An additional location or remark: where the name was first declared, or which import led here. */
export interface Note {
  readonly message: string;
  readonly at?: Location;
}

/** Edits of one file that are applied together. */
export interface Fix {
  readonly title: string;
  readonly file: SourceFile;
  readonly edits: readonly { readonly span: Span; readonly text: string }[];
}

/** A problem in the user's input. A diagnostic is data and is never thrown. */
export interface Diagnostic {
  /** Never changes: `RK101`. */
  readonly code: string;
  /** A name of the catalog, or of a lint rule. */
  readonly name: string;
  readonly entry: CatalogEntry;
  readonly severity: Severity;
  /** One sentence: what is wrong. */
  readonly message: string;
  /** One sentence: what to do. */
  readonly advice?: string;
  /** Undefined if the file could not be read as text; `path` then names the file. */
  readonly at?: Location;
  readonly path: string;
  readonly notes: readonly Note[];
  /**
   * Removes the diagnostic and keeps the meaning: the text can only be read as what the fix writes. A parser that offers a fix has read
   * the text in that way, so applying the fix reveals no further error. `--fix` applies it.
   */
  readonly fix?: Fix;
  /** What the author may have meant. People decide: editors offer it, and `--fix` never applies it. */
  readonly suggestion?: Fix;
}

/** The location of a diagnostic: a span of a text, or a file that could not be read as text. */
export type DiagnosticLocation = Location | { readonly path: string };

export interface DiagnosticExtras {
  readonly notes?: readonly Note[];
  readonly fix?: Fix;
  readonly suggestion?: Fix;
  /** Replaces the catalog's advice with more specific advice. */
  readonly advice?: string;
}

/** Builds a diagnostic from the catalog: `diagnose("unknown-type", { name: "Usr" }, { file, span })`. */
export function diagnose<Name extends CatalogName>(
  name: Name,
  parameters: ParametersOf<Name>,
  location: DiagnosticLocation,
  extra?: DiagnosticExtras,
): Diagnostic {
  return diagnoseEntry(name, catalog[name], parameters, location, extra);
}

/** Builds a diagnostic from an entry outside the catalog: a lint rule. */
export function diagnoseEntry(
  name: string,
  entry: CatalogEntry,
  values: Readonly<Record<string, string | number>>,
  location: DiagnosticLocation,
  extra: DiagnosticExtras = {},
): Diagnostic {
  const inYaml = /\.ya?ml$/.test("file" in location ? location.file.path : location.path)
    ? entry.inYaml
    : undefined;
  const message = (inYaml?.message ?? entry.message).replace(/\{(\w+)\}/g, (_, key: string) =>
    truncated(String(values[key])),
  );
  const advice = extra.advice ?? inYaml?.advice ?? entry.advice;
  return {
    code: entry.code,
    name,
    entry,
    severity: entry.severity,
    message,
    ...(advice === undefined ? {} : { advice }),
    ...("file" in location
      ? { at: { file: location.file, span: location.span }, path: location.file.path }
      : { path: location.path }),
    notes: extra.notes ?? [],
    ...(extra.fix === undefined ? {} : { fix: extra.fix }),
    ...(extra.suggestion === undefined ? {} : { suggestion: extra.suggestion }),
  };
}

/** Turns a fix into a suggestion, for text that can be read in more than one way. */
export function asSuggestion<Extras extends DiagnosticExtras>({ fix, ...rest }: Extras): Omit<Extras, "fix"> {
  return fix === undefined ? rest : { ...rest, suggestion: fix };
}

/** Maximum length of a parameter in a message, in UTF-16 code units. A name in a schema may be megabytes long. */
const maxParameterLength = 200;

function truncated(text: string): string {
  return text.length <= maxParameterLength ? text : `${text.slice(0, maxParameterLength)}…`;
}

/** `--strict` turns warnings, which the reference accepts, into errors. */
export function underStrict<Reported extends Diagnostic>(diagnostic: Reported): Reported {
  return diagnostic.severity === "warning" ? { ...diagnostic, severity: "error" } : diagnostic;
}

/** The drop-in accepts what the reference accepts. */
export function asReference(diagnostic: Diagnostic): Diagnostic {
  return diagnostic.entry.referenceAccepts === true ? { ...diagnostic, severity: "warning" } : diagnostic;
}
