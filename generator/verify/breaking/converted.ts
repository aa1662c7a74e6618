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

/** Notes of findings that converters cover, although other findings of their rules are not. */
export const declaredNote = "The new method names the old one in @renamedFrom.";
export const keysNote = "The keys differ.";

/** Whether a server that speaks the earlier version converts its calls despite the change. */
export function hasConverter({ name, notes }: Diagnostic): boolean {
  if (!isBreakingRule(name)) return false;
  const has = (note: string): boolean => notes.some(({ message }) => message === note);
  return (
    convertedRules.has(name) ||
    (name === "method-gone" && has(declaredNote)) ||
    (name === "response-value-unexpected" && has(keysNote))
  );
}

/** Marks findings that converters of a kept version cover. They do not fail, not even with `--strict`. */
export function withConverted(found: readonly Diagnostic[], version: string): readonly Diagnostic[] {
  return found.map((one) =>
    hasConverter(one)
      ? { ...one, severity: "warning", notes: [...one.notes, { message: `${convertedNote} ${version}.` }] }
      : one,
  );
}

export function isConverted({ notes }: Diagnostic): boolean {
  return notes.some(({ message }) => message.startsWith(convertedNote));
}

const convertedNote = "Converted for";
