import { type Diagnostic, diagnose } from "../diagnostics/diagnostic.ts";
import { mergeMissingNames, type RuleFinding } from "./missing-names.ts";
import type { Report, ReportExtra, Rule } from "./rule.ts";
import {
  cache,
  deprecationDates,
  falseAnnotations,
  idempotencyKey,
  mcpValues,
  paging,
  resume,
} from "./rules/annotations.ts";
import { conditions } from "./rules/conditions.ts";
import { derivedStructs } from "./rules/derived.ts";
import { enumBases, enumJsonNames, enumValues } from "./rules/enums.ts";
import { errorData, errors, importedErrorData, uniqueErrors } from "./rules/errors.ts";
import {
  basepath,
  basepathGiven,
  files,
  headers,
  importedMembers,
  referenceLosses,
  version,
} from "./rules/files.ts";
import { groups } from "./rules/groups.ts";
import { metaLines, numberLimits, values, wireNames } from "./rules/meta.ts";
import { fieldNames, jsonNames, typeNames } from "./rules/names.ts";
import {
  routeBasepath,
  routeDefaultPaths,
  routeOverlaps,
  routeParameters,
  routePaths,
  routePlacement,
  routeQueries,
} from "./rules/routes.ts";
import {
  methodArguments,
  methodErrors,
  methods,
  noErrors,
  succinct,
  uniqueServices,
} from "./rules/services.ts";
import { aliasCycles, endlessStructs, knownTypes } from "./rules/types.ts";
import type { Scope } from "./scope.ts";

/** All rules of the language. Their order decides the order of findings at one position. */
const rules: readonly Rule[] = [
  headers,
  version,
  basepath,
  importedMembers,
  typeNames,
  knownTypes,
  aliasCycles,
  enumBases,
  enumValues,
  enumJsonNames,
  fieldNames,
  jsonNames,
  metaLines,
  wireNames,
  values,
  groups,
  conditions,
  derivedStructs,
  endlessStructs,
  errors,
  uniqueErrors,
  errorData,
  importedErrorData,
  uniqueServices,
  methods,
  methodArguments,
  succinct,
  files,
  routePlacement,
  routePaths,
  routeParameters,
  routeQueries,
  routeOverlaps,
  routeDefaultPaths,
  methodErrors,
  noErrors,
  cache,
  falseAnnotations,
  idempotencyKey,
  mcpValues,
  paging,
  resume,
  deprecationDates,
  referenceLosses,
];

/** Rules for the entry file only. */
const rootRules: readonly Rule[] = [basepathGiven, routeBasepath];

/** Maximum number of suggestions per run. Each one searches all names, and a long list is not read to its end. */
const maxSuggestions = 100;

/**
 * Runs every rule on each file. The last scope is the entry file. A problem that two files can see, such as a duplicate in a
 * shared import, is reported once for each. `int64Numbers`: see `CompileOptions`.
 */
export function check(scopes: readonly Scope[], int64Numbers: boolean): Diagnostic[] {
  let suggestions = 0;
  const limitSuggestions: LimitSuggestions = (extra) => (suggestions++ < maxSuggestions ? extra() : {});
  const ofAll = int64Numbers ? [...rules, numberLimits] : rules;
  const findings = scopes.flatMap((scope) =>
    checkFile(scope, scope === scopes.at(-1) ? [...ofAll, ...rootRules] : ofAll, limitSuggestions),
  );
  return mergeMissingNames(findings, scopes);
}

/** Computes the extra parts of a finding, up to the limit. */
type LimitSuggestions = (extra: () => ReportExtra) => ReportExtra;

function checkFile(
  scope: Scope,
  enabledRules: readonly Rule[],
  limitSuggestions: LimitSuggestions,
): RuleFinding[] {
  const found: RuleFinding[] = [];
  const report: Report = (name, parameters, span, extra = {}) => {
    const {
      file = scope.file,
      missing,
      ...rest
    } = typeof extra === "function" ? limitSuggestions(extra) : extra;
    const diagnostic = diagnose(name, parameters, { file: file.source, span }, rest);
    found.push({ diagnostic: file.format === "ir" ? withoutFix(diagnostic) : diagnostic, missing });
  };
  for (const rule of enabledRules) rule(scope, report);
  return found;
}

/** IR files are generated, so they get advice but no fix: the fix belongs in the schema behind them. */
function withoutFix({ fix: _, suggestion: __, ...diagnostic }: Diagnostic): Diagnostic {
  return diagnostic;
}
