import { breaking } from "../diagnostics/catalog/breaking.ts";
import { type Diagnostic, diagnose } from "../diagnostics/diagnostic.ts";
import { suggest } from "../diagnostics/suggest.ts";
import type { SchemaFile } from "../syntax/tree.ts";
import type { IgnoreComments } from "./ignore.ts";
import { lintRules } from "./rules/index.ts";

/** Reports unknown rule names in comments, which ignore nothing. Comments for `lint` and for `breaking` have one form. */
export function unknownRules(file: SchemaFile, { ruleNames }: IgnoreComments): Diagnostic[] {
  const known = [...lintRules.map(({ name }) => name as string), ...Object.keys(breaking)];
  return ruleNames
    .filter(({ name }) => !known.some((rule) => rule === name))
    .map(({ name, span }) => {
      const near = suggest(name, known);
      const extra = near === undefined ? {} : { advice: `Did you mean "${near}"?` };
      return diagnose("unknown-lint-rule", { name }, { file: file.source, span }, extra);
    });
}
