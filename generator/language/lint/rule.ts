import type { CatalogName, ParametersOf } from "../diagnostics/catalog.ts";
import type { DiagnosticExtras } from "../diagnostics/diagnostic.ts";
import type { Scope } from "../model/scope.ts";
import type { Span } from "../source/span.ts";
import type { SchemaFile } from "../syntax/tree.ts";

/** A schema without errors: one scope per file, with the scope of the root file last. */
export interface LintedSchema {
  readonly scopes: readonly Scope[];
  readonly root: Scope;
}

/** The location of a finding, and the item (`owner`) above which a comment can ignore it: for a meta key, its field. */
export interface LintLocation {
  readonly file: SchemaFile;
  readonly span: Span;
  readonly owner: { readonly span: Span };
}

export type LintReport<Name extends CatalogName> = (
  parameters: ParametersOf<Name>,
  location: LintLocation,
  extra?: DiagnosticExtras,
) => void;

/** A rule about style or evolution. Its name is also the name of its message in the catalogue. */
export interface LintRule<Name extends CatalogName = CatalogName> {
  readonly name: Name;
  /** The smallest preset with this rule: rules of `recommended` are also in `strict`. */
  readonly preset: Exclude<PresetName, "off">;
  check(schema: LintedSchema, report: LintReport<Name>): void | Promise<void>;
}

export type PresetName = "off" | "default" | "recommended" | "strict";

/** Checks at compile time that a rule reports the parameters of its message. */
export function defineRule<const Name extends CatalogName>(rule: LintRule<Name>): LintRule {
  return rule as unknown as LintRule;
}
