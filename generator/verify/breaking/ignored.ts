import type { Diagnostic } from "../../language/diagnostics/diagnostic.ts";
import { IgnoreComments } from "../../language/lint/ignore.ts";
import type { Scope } from "../../language/model/scope.ts";

/** What is left when the comments of the new version have said what is meant: `#! ridlkit-ignore method-gone: nobody called it`. */
export function withoutIgnored(
  found: readonly Diagnostic[],
  scopes: readonly Scope[],
): readonly Diagnostic[] {
  const ignores = new Map(
    scopes.map(({ file }) => [file.source, { file, ignores: new IgnoreComments(file) }]),
  );
  return found.filter(({ name, at }) => {
    const known = at === undefined ? undefined : ignores.get(at.file);
    if (known === undefined || at === undefined) return true;
    return !known.ignores.has(name, { file: known.file, span: at.span, owner: at });
  });
}
