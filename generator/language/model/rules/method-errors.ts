import type { DiagnosticExtras, Location } from "../../diagnostics/diagnostic.ts";
import { replaceFix } from "../name-fixes.ts";
import type { Rule } from "../rule.ts";
import { errorName } from "./errors.ts";
import { suggestDeclared } from "./known-types.ts";

/**
 * Every error that a method lists is declared. Built-in errors need not be listed.
 * Bad: `errors NotFuond`. Good: `errors NotFound`.
 */
export const methodErrors: Rule = (scope, report) => {
  if (scope.hasUnreadImports) return;
  const known = new Set(scope.errors.map(({ node }) => errorName(node)));
  for (const node of scope.file.declarations) {
    if (node.kind !== "service") continue;
    for (const method of node.methods) {
      for (const { text: name, span } of method.errors) {
        if (known.has(name) || scope.mayBeUnparsed(name)) continue;
        const location = { file: scope.file.source, span };
        const extra =
          separateNames(name, known, location) ?? suggestDeclared(name, location, () => known, scope);
        report("unknown-error", { name, method: method.name.text }, span, extra);
      }
    }
  }
};

/** `Lost|Gone` without spaces is parsed as one word. */
function separateNames(
  name: string,
  known: ReadonlySet<string>,
  location: Location,
): DiagnosticExtras | undefined {
  const names = name.split("|");
  if (names.length < 2 || !names.every((each) => known.has(each))) return undefined;
  return { advice: 'Put a space on both sides of "|".', fix: replaceFix(names.join(" | "), location) };
}
