import { type Diagnostic, diagnose } from "../diagnostics/diagnostic.ts";
import type { Report, Rule } from "./rule.ts";
import { rootRules, rules } from "./rules/index.ts";
import type { Scope } from "./scope.ts";

/** Findings past this many are counted, not worked out: nobody reads the thousandth did-you-mean. */
const explainedFindings = 1000;

/** Runs every rule over each file; the last one is the root. A fault that two files see (a duplicate in a shared import) comes up once in each. */
export function check(scopes: readonly Scope[]): Diagnostic[] {
  return scopes.flatMap((scope) =>
    checkFile(scope, scope === scopes.at(-1) ? [...rules, ...rootRules] : rules),
  );
}

function checkFile(scope: Scope, laws: readonly Rule[]): Diagnostic[] {
  const found: Diagnostic[] = [];
  const report: Report = (name, parameters, span, extra = {}) => {
    const { file = scope.file, ...rest } =
      typeof extra !== "function" ? extra : found.length < explainedFindings ? extra() : {};
    found.push(diagnose(name, parameters, { file: file.source, span }, rest));
  };
  for (const rule of laws) rule(scope, report);
  return found;
}
