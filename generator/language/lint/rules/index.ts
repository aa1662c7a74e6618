import type { LintRule } from "../rule.ts";
import { deprecatedWithoutAdvice } from "./deprecated-without-advice.ts";
import { implicitEnumValues } from "./implicit-enum-values.ts";
import { markedInUrl } from "./marked-in-url.ts";
import { missingDocs } from "./missing-docs.ts";
import { missingErrorsClause } from "./missing-errors-clause.ts";
import { misspeltAnnotations } from "./misspelt-annotations.ts";
import { mixedEnumValues } from "./mixed-enum-values.ts";
import { namingEnumValues } from "./naming-enum-values.ts";
import { namingErrors } from "./naming-errors.ts";
import { namingFields } from "./naming-fields.ts";
import { namingMethods } from "./naming-methods.ts";
import { namingTypes } from "./naming-types.ts";
import { precisionLoss } from "./precision-loss.ts";
import { unsafePattern } from "./unsafe-pattern.ts";
import { unusedErrors } from "./unused-errors.ts";
import { unusedTypes } from "./unused-types.ts";

/** All lint rules, in the order of the documentation. */
export const lintRules: readonly LintRule[] = [
  namingTypes,
  namingFields,
  namingMethods,
  namingEnumValues,
  namingErrors,
  missingDocs,
  unusedTypes,
  unusedErrors,
  missingErrorsClause,
  precisionLoss,
  unsafePattern,
  deprecatedWithoutAdvice,
  mixedEnumValues,
  implicitEnumValues,
  markedInUrl,
  misspeltAnnotations,
];
