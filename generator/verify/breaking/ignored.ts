import type { Diagnostic } from "../../language/diagnostics/diagnostic.ts";
import { IgnoreComments } from "../../language/lint/ignore.ts";
import { unknownRules } from "../../language/lint/unknown-rules.ts";
import type { Scope } from "../../language/model/scope.ts";

/** Removes findings that a comment of the new version ignores: `#! ridlkit-ignore method-removed: no client calls it`. */
export function withoutIgnored<Finding extends Diagnostic>(
  found: readonly Finding[],
  scopes: readonly Scope[],
): readonly Finding[] {
  const ignores = new Map(
    scopes.map(({ file }) => [file.source, { file, ignores: new IgnoreComments(file) }]),
  );
  return found.filter(({ name, at }) => {
    const known = at === undefined ? undefined : ignores.get(at.file);
    if (known === undefined || at === undefined) return true;
    return !known.ignores.has(name, { file: known.file, span: at.span, owner: at });
  });
}

/** Reports comments that name no rule. They ignore nothing. */
export function unknownIgnores(scopes: readonly Scope[]): readonly Diagnostic[] {
  return scopes.flatMap(({ file }) => unknownRules(file, new IgnoreComments(file)));
}
