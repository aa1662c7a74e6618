import type { Diagnostic } from "../../language/diagnostics/diagnostic.ts";
import { type BreakingRuleName, isBreakingRule } from "./rules.ts";

/**
 * Changes that cannot break a client whose version the server still speaks: converters, generated or required by the compiler, cover
 * every value. Other changes end in ClientOutdated for some calls, or affect code that is compiled again.
 */
const convertedRules: ReadonlySet<BreakingRuleName> = new Set([
  "request-field-needed",
  "request-form-refused",
  "default-changed",
  "response-field-missing",
  "response-enum-value-unknown",
]);

/** Marks findings that converters of a kept version cover. They do not fail, not even with `--strict`. */
export function withConverted(found: readonly Diagnostic[], version: string): readonly Diagnostic[] {
  return found.map((one) =>
    isBreakingRule(one.name) && convertedRules.has(one.name)
      ? { ...one, severity: "warning", notes: [...one.notes, { message: `${convertedNote} ${version}.` }] }
      : one,
  );
}

export function isConverted({ notes }: Diagnostic): boolean {
  return notes.some(({ message }) => message.startsWith(convertedNote));
}

const convertedNote = "Converted for";
