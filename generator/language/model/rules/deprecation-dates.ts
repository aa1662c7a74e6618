import { readDeprecation } from "../deprecation.ts";
import type { Rule } from "../rule.ts";

/**
 * The dates of `@deprecated` and `@sunset` are days of the calendar, in this order.
 * Bad: `@sunset:"31.1.2027"`. Good: `@deprecated:"2026-11-26, use Find" @sunset:"2027-01-31"`.
 */
export const deprecationDates: Rule = (scope, report) => {
  for (const node of scope.file.declarations) {
    if (node.kind !== "service") continue;
    for (const method of node.methods) {
      const annotations = method.annotations.map(({ name, value }) => ({
        name: name.text,
        value: value?.value,
      }));
      for (const { annotation, reason } of readDeprecation(annotations).faults) {
        const found = method.annotations.find(({ name }) => name.text === annotation);
        const span = found?.value?.span ?? found?.span ?? method.name.span;
        report("deprecation-date", { annotation, method: method.name.text, reason }, span);
      }
    }
  }
};
