import type { breaking } from "../../language/diagnostics/catalog/breaking.ts";

/** What a replay finds has codes too, but is no rule: it has happened. */
export type BreakingRuleName = Exclude<keyof typeof breaking, "replay-broke" | "replay-differs">;

export interface BreakingRule {
  /** Which side of a call is looked at. */
  readonly direction: "request" | "response" | "both";
  /**
   * `wire`: bytes that one side sends and the other cannot read. `behaviour`: the same bytes mean another thing. `source`: code
   * that is compiled with the other version does not fit.
   */
  readonly kind: "wire" | "behaviour" | "source";
}

/** All rules, in the order of the documentation. Their severity stands in the catalogue: an error breaks, a warning may. */
export const breakingRules: Readonly<Record<BreakingRuleName, BreakingRule>> = {
  "basepath-changed": { direction: "request", kind: "wire" },
  "service-gone": { direction: "request", kind: "wire" },
  "method-gone": { direction: "request", kind: "wire" },
  "credentials-needed": { direction: "request", kind: "behaviour" },
  "answer-kind-changed": { direction: "response", kind: "wire" },
  "request-kind-changed": { direction: "request", kind: "wire" },
  "repeat-unsafe": { direction: "request", kind: "behaviour" },
  "request-field-needed": { direction: "request", kind: "wire" },
  "request-field-ignored": { direction: "request", kind: "behaviour" },
  "request-value-refused": { direction: "request", kind: "wire" },
  "request-enum-value-refused": { direction: "request", kind: "wire" },
  "request-bound-tightened": { direction: "request", kind: "wire" },
  "request-pattern-tightened": { direction: "request", kind: "wire" },
  "request-form-refused": { direction: "request", kind: "wire" },
  "default-changed": { direction: "request", kind: "behaviour" },
  "enum-number-changed": { direction: "request", kind: "wire" },
  "letters-changed": { direction: "both", kind: "behaviour" },
  "request-files-changed": { direction: "request", kind: "wire" },
  "response-field-missing": { direction: "response", kind: "wire" },
  "response-value-unexpected": { direction: "response", kind: "wire" },
  "response-enum-value-unknown": { direction: "response", kind: "behaviour" },
  "response-bound-loosened": { direction: "response", kind: "behaviour" },
  "error-code-changed": { direction: "response", kind: "wire" },
  "error-status-changed": { direction: "response", kind: "behaviour" },
  "error-unknown": { direction: "response", kind: "behaviour" },
  "error-unlisted": { direction: "response", kind: "behaviour" },
  "error-newly-listed": { direction: "response", kind: "source" },
  "type-renamed": { direction: "both", kind: "source" },
  "code-type-changed": { direction: "request", kind: "source" },
  "code-field-gone": { direction: "response", kind: "source" },
};

export function isBreakingRule(name: string): name is BreakingRuleName {
  return Object.hasOwn(breakingRules, name);
}
