import { type Diagnostic, diagnose } from "../diagnostics/diagnostic.ts";
import { type Finding, mergeMissingNames } from "./missing-names.ts";
import type { Report, ReportExtra, Rule } from "./rule.ts";
import { rootRules, rules, warningRules } from "./rules/index.ts";
import type { Scope } from "./scope.ts";

/** Did-you-means of one run: each looks through all names, and nobody reads the hundredth. */
const maxSuggestions = 100;

/** Runs every rule over each file; the last one is the root. A fault that two files see (a duplicate in a shared import) comes up once in each. With `errorsOnly` it need not look for what is only warned of. */
export function check(scopes: readonly Scope[], errorsOnly = false): Diagnostic[] {
  const laws = errorsOnly ? rules.filter((rule) => !warningRules.has(rule)) : rules;
  let explained = 0;
  const explain: LimitSuggestions = (extra) => (explained++ < maxSuggestions ? extra() : {});
  const findings = scopes.flatMap((scope) =>
    checkFile(scope, scope === scopes.at(-1) ? [...laws, ...rootRules] : laws, explain),
  );
  return mergeMissingNames(findings, scopes);
}

/** Works out what stands beside a finding, as long as somebody will read it. */
type LimitSuggestions = (extra: () => ReportExtra) => ReportExtra;

function checkFile(scope: Scope, laws: readonly Rule[], explain: LimitSuggestions): Finding[] {
  const found: Finding[] = [];
  const report: Report = (name, parameters, span, extra = {}) => {
    const { file = scope.file, missing, ...rest } = typeof extra === "function" ? explain(extra) : extra;
    const diagnostic = diagnose(name, parameters, { file: file.source, span }, rest);
    found.push({ diagnostic: file.format === "ir" ? withoutFix(diagnostic) : diagnostic, missing });
  };
  for (const rule of laws) rule(scope, report);
  return found;
}

/** Nobody mends by hand what a tool wrote: an IR file gets its advice, and its fix is one of the schema it was made from. */
function withoutFix({ fix: _, ...diagnostic }: Diagnostic): Diagnostic {
  return diagnostic;
}
