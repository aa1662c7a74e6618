import { type Diagnostic, diagnose } from "../diagnostics/diagnostic.ts";
import type { Scope } from "../model/scope.ts";
import type { SchemaFile } from "../syntax/tree.ts";
import { IgnoreComments } from "./ignore.ts";
import type { LintedSchema, LintRule } from "./rule.ts";
import { lintRules } from "./rules/index.ts";
import { hasOptInRules, type LintSettings } from "./settings.ts";
import { unknownRules } from "./unknown-rules.ts";

/**
 * Runs the enabled rules on a schema without errors. Findings that a comment ignores are left out. `scopes`: one per file, with the
 * scope of the root file last.
 */
export async function lint(scopes: readonly Scope[], settings: LintSettings): Promise<readonly Diagnostic[]> {
  const root = scopes.at(-1);
  if (root === undefined || settings.size === 0) return [];
  const schema = { scopes, root };
  const ignores = new Map(scopes.map(({ file }) => [file, new IgnoreComments(file)]));
  const found: Diagnostic[] = hasOptInRules(settings)
    ? [...ignores].flatMap(([file, comments]) => unknownRules(file, comments))
    : [];
  for (const rule of lintRules) {
    const severity = settings.get(rule.name);
    if (severity !== undefined)
      for (const one of await findingsOf(rule, schema, ignores)) found.push({ ...one, severity });
  }
  return found;
}

async function findingsOf(
  rule: LintRule,
  schema: LintedSchema,
  ignores: ReadonlyMap<SchemaFile, IgnoreComments>,
): Promise<Diagnostic[]> {
  const found: Diagnostic[] = [];
  await rule.check(schema, (parameters, location, extra) => {
    if (ignores.get(location.file)?.has(rule.name, location)) return;
    found.push(diagnose(rule.name, parameters, { file: location.file.source, span: location.span }, extra));
  });
  return found;
}
