import type { breaking } from "../../language/diagnostics/catalog/breaking.ts";

/** Replay findings have codes, but are not rules: they report a call that failed. */
export type BreakingRuleName = Exclude<keyof typeof breaking, "replay-broke" | "replay-differs">;

export interface BreakingRule {
  /** The part of a call that the rule checks. */
  readonly direction: "request" | "response" | "both";
  /**
   * `wire`: one side cannot read the bytes that the other sends. `behavior`: the same bytes have another meaning. `source`: code
   * does not compile with the other version.
   */
  readonly kind: "wire" | "behavior" | "source";
  /**
   * Whether converters, generated or required by the compiler, cover every value, so that clients of a version that the server still
   * speaks notice no change. After other changes, some calls end in ClientOutdated, or only code that is compiled again is affected.
   */
  readonly isConvertible?: true;
}

/** All rules, in the order of the documentation. The catalog has their severity: an error breaks calls, a warning may break them. */
export const breakingRules: Readonly<Record<BreakingRuleName, BreakingRule>> = {
  "basepath-changed": { direction: "request", kind: "wire", isConvertible: true },
  "service-removed": { direction: "request", kind: "wire" },
  "method-removed": { direction: "request", kind: "wire" },
  "route-changed": { direction: "request", kind: "wire", isConvertible: true },
  "route-taken": { direction: "request", kind: "wire", isConvertible: true },
  "credentials-required": { direction: "request", kind: "behavior" },
  "response-kind-changed": { direction: "response", kind: "wire" },
  "request-kind-changed": { direction: "request", kind: "wire" },
  "repeat-unsafe": { direction: "request", kind: "behavior" },
  "read-removed": { direction: "request", kind: "wire" },
  "request-field-required": { direction: "request", kind: "wire", isConvertible: true },
  "request-field-ignored": { direction: "request", kind: "behavior" },
  "request-value-rejected": { direction: "request", kind: "wire" },
  "request-enum-value-rejected": { direction: "request", kind: "wire", isConvertible: true },
  "request-bound-tightened": { direction: "request", kind: "wire" },
  "request-pattern-tightened": { direction: "request", kind: "wire" },
  "request-form-rejected": { direction: "request", kind: "wire", isConvertible: true },
  "default-changed": { direction: "request", kind: "behavior", isConvertible: true },
  "null-changed": { direction: "request", kind: "behavior" },
  "enum-number-changed": { direction: "request", kind: "wire", isConvertible: true },
  "normalize-changed": { direction: "both", kind: "behavior" },
  "request-group-narrowed": { direction: "request", kind: "wire" },
  "request-kind-narrowed": { direction: "request", kind: "wire" },
  "request-files-changed": { direction: "request", kind: "wire" },
  "response-field-missing": { direction: "response", kind: "wire", isConvertible: true },
  "response-value-unexpected": { direction: "response", kind: "wire" },
  "response-enum-value-unknown": { direction: "response", kind: "behavior", isConvertible: true },
  "response-bound-loosened": { direction: "response", kind: "behavior" },
  "response-group-widened": { direction: "response", kind: "wire" },
  "response-kind-widened": { direction: "response", kind: "wire" },
  "error-code-changed": { direction: "response", kind: "wire", isConvertible: true },
  "error-status-changed": { direction: "response", kind: "behavior" },
  "error-unknown": { direction: "response", kind: "behavior" },
  "error-unlisted": { direction: "response", kind: "behavior" },
  "error-newly-listed": { direction: "response", kind: "source" },
  "error-data-missing": { direction: "response", kind: "behavior" },
  "name-reused": { direction: "both", kind: "source" },
  "type-renamed": { direction: "both", kind: "source" },
  "code-type-changed": { direction: "request", kind: "source" },
  "code-field-removed": { direction: "response", kind: "source" },
};

export function isBreakingRule(name: string): name is BreakingRuleName {
  return Object.hasOwn(breakingRules, name);
}
