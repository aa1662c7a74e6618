import type { DiagnosticExtras, Fix } from "../diagnostics/diagnostic.ts";
import { type Nearest, nearest } from "../diagnostics/suggest.ts";
import type { SourceFile } from "../source/source-file.ts";
import type { Span } from "../source/span.ts";

/**
 * Advice and fix for an unknown name: `Did you mean "User"?` and the edit that writes it. Lazy, because searching all names only
 * pays off for a finding that is shown.
 */
export function suggestName(
  name: string,
  location: { readonly file: SourceFile; readonly span: Span },
  options: () => Iterable<string>,
): () => DiagnosticExtras {
  return () => {
    const near = nearest(name, options());
    return near === undefined ? {} : didYouMean(near, location);
  };
}

/** The same for a known nearest name. Adds a fix only if the match is unambiguous. */
export function didYouMean(
  near: Nearest,
  location: { readonly file: SourceFile; readonly span: Span },
): DiagnosticExtras {
  const rival = near.rival === undefined ? "" : ` or "${near.rival}"`;
  const advice = `Did you mean "${near.word}"${rival}?`;
  return near.isConfident ? { advice, fix: replaceFix(near.word, location) } : { advice };
}

export function replaceFix(
  text: string,
  { file, span }: { readonly file: SourceFile; readonly span: Span },
): Fix {
  return { title: `Write "${text}"`, file, edits: [{ span, text }] };
}

/** Builds a fix for a name that must start with an upper-case letter: `user` → `User`. */
export function capitaliseFix(
  name: string,
  location: { readonly file: SourceFile; readonly span: Span },
): { readonly fix?: Fix } {
  return /^[a-z]/.test(name)
    ? { fix: replaceFix(name.charAt(0).toUpperCase() + name.slice(1), location) }
    : {};
}
