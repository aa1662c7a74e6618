import type { LintRule } from "../rule.ts";
import { annotationRules } from "./annotations.ts";
import { docsAndUseRules } from "./docs-and-use.ts";
import { foreignAnnotationRules } from "./foreign-annotations.ts";
import { namingRules } from "./naming.ts";
import { valueRules } from "./values.ts";

/** All lint rules, by theme. */
export const lintRules: readonly LintRule[] = [
  ...namingRules,
  ...docsAndUseRules,
  ...valueRules,
  ...annotationRules,
  ...foreignAnnotationRules,
];
