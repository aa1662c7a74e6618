import type { Diagnostic } from "../../generator/language/diagnostics/diagnostic.ts";

/** The diagnostics as if every suggestion was a fix: what a user gets who accepts all that an editor offers. */
export function withSuggestions(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.map((one) =>
    one.fix === undefined && one.suggestion !== undefined ? { ...one, fix: one.suggestion } : one,
  );
}
