import type { CatalogName, ParametersOf } from "../diagnostics/catalog.ts";
import type { DiagnosticExtras } from "../diagnostics/diagnostic.ts";
import type { Scope } from "../model/scope.ts";
import type { Span } from "../source/span.ts";
import type { SchemaFile } from "../syntax/tree.ts";

/** A schema without faults: one scope a file, that of the root last. */
export interface LintedSchema {
  readonly scopes: readonly Scope[];
  readonly root: Scope;
}

/** Where a finding is shown, and the item whose comment may say that it is meant: a field for what its meta lines say. */
export interface LintLocation {
  readonly file: SchemaFile;
  readonly span: Span;
  readonly owner: { readonly span: Span };
}

export type LintReport<Name extends CatalogName> = (
  parameters: ParametersOf<Name>,
  place: LintLocation,
  extra?: DiagnosticExtras,
) => void;

/** One matter of style or evolution. Its name is that of what it says in the catalogue. */
export interface LintRule<Name extends CatalogName = CatalogName> {
  readonly name: Name;
  /** The smallest of the presets that have it: what is in `recommended` is in `strict` too. */
  readonly preset: Exclude<PresetName, "off">;
  check(schema: LintedSchema, report: LintReport<Name>): void | Promise<void>;
}

export type PresetName = "off" | "default" | "recommended" | "strict";

/** Ties what a rule reports to what its message needs. */
export function defineRule<const Name extends CatalogName>(rule: LintRule<Name>): LintRule {
  return rule as unknown as LintRule;
}
