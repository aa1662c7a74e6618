import type { DiagnosticExtras, Fix } from "../diagnostics/diagnostic.ts";
import { type Nearest, nearest } from "../diagnostics/suggest.ts";
import type { SourceFile } from "../source/source-file.ts";
import type { Span } from "../source/span.ts";

/**
 * Advice and fix for a name that does not exist: `Did you mean "User"?` and the edit that writes it. Lazy, because looking
 * through all names is only worth it for a finding that is shown.
 */
export function suggestName(
  name: string,
  place: { readonly file: SourceFile; readonly span: Span },
  options: () => Iterable<string>,
): () => DiagnosticExtras {
  return () => {
    const near = nearest(name, options());
    return near === undefined ? {} : didYouMean(near, place);
  };
}

/** The same once the nearest name is known. Only a sure one is written without asking. */
export function didYouMean(
  near: Nearest,
  place: { readonly file: SourceFile; readonly span: Span },
): DiagnosticExtras {
  const rival = near.rival === undefined ? "" : ` or "${near.rival}"`;
  const advice = `Did you mean "${near.word}"${rival}?`;
  return near.isConfident ? { advice, fix: replaceFix(near.word, place) } : { advice };
}

/** The fix that puts one text in the place of another. */
export function replaceFix(
  text: string,
  { file, span }: { readonly file: SourceFile; readonly span: Span },
): Fix {
  return { title: `Write "${text}"`, file, edits: [{ span, text }] };
}

/** For a name that would be right with an upper case letter: `user` → `User`. */
export function capitaliseFix(
  name: string,
  place: { readonly file: SourceFile; readonly span: Span },
): { readonly fix?: Fix } {
  return /^[a-z]/.test(name) ? { fix: replaceFix(name.charAt(0).toUpperCase() + name.slice(1), place) } : {};
}
