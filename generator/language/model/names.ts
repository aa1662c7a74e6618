import type { DiagnosticExtras, Fix, Note } from "../diagnostics/diagnostic.ts";
import { type Nearest, nearest } from "../diagnostics/suggest.ts";
import type { SourceFile } from "../source/source-file.ts";
import type { Span } from "../source/span.ts";

/**
 * Folds letter case as the reference tool does: character by character, like Go's ToLower. Names with equal results count as the
 * same.
 */
export function foldCase(name: string): string {
  if (/^[\x20-\x7e]*$/.test(name)) return name.toLowerCase();
  return Array.from(name, (character) => (character === "İ" ? "i" : character.toLowerCase())).join("");
}

/** Whether a name is an identifier in every target language: a letter, then letters, digits and "_". */
export function isIdentifier(name: string): boolean {
  return /^[a-zA-Z][a-zA-Z0-9_]*$/.test(name);
}

/**
 * Advice and suggestion for an unknown name: `Did you mean "User"?` and the edit that writes it. Lazy, because searching all names
 * only pays off for a finding that is shown.
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

/** The same for a known nearest name. Suggests an edit only if no other name is as near. */
export function didYouMean(
  near: Nearest,
  location: { readonly file: SourceFile; readonly span: Span },
): DiagnosticExtras {
  const rival = near.rival === undefined ? "" : ` or "${near.rival}"`;
  const advice = `Did you mean "${near.word}"${rival}?`;
  return near.isConfident ? { advice, suggestion: replaceFix(near.word, location) } : { advice };
}

/** For a name that is declared twice. */
export function firstDeclared(file: SourceFile, span: Span): { readonly notes: readonly Note[] } {
  return { notes: [{ message: "First declared here.", at: { file, span } }] };
}

export function replaceFix(
  text: string,
  { file, span }: { readonly file: SourceFile; readonly span: Span },
): Fix {
  return { title: `Write "${text}"`, file, edits: [{ span, text }] };
}

/** For a name that must start with an upper-case letter: `user` → `User`. Uses of the name are not renamed. */
export function suggestCapital(
  name: string,
  location: { readonly file: SourceFile; readonly span: Span },
): { readonly suggestion?: Fix } {
  return /^[a-z]/.test(name)
    ? { suggestion: replaceFix(name.charAt(0).toUpperCase() + name.slice(1), location) }
    : {};
}
