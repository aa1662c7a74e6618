import { suggest } from "../diagnostics/suggest.ts";
import type { SourceFile } from "../source/source-file.ts";
import type { Span } from "../source/span.ts";
import type { ReportExtra } from "./rule.ts";

/**
 * Advice and fix for a name that does not exist: `Did you mean "User"?` and the edit that writes it. Lazy, because looking
 * through all names is only worth it for a finding that is shown.
 */
export function correction(
  name: string,
  place: { readonly file: SourceFile; readonly span: Span },
  options: () => Iterable<string>,
  otherwise?: string,
): () => ReportExtra {
  return () => {
    const meant = suggest(name, options());
    if (meant === undefined) return otherwise === undefined ? {} : { advice: otherwise };
    const edits = [{ span: place.span, text: meant }];
    return {
      advice: `Did you mean "${meant}"?`,
      fix: { title: `Write "${meant}"`, file: place.file, edits },
    };
  };
}
