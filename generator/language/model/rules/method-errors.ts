import type { Extra, Location } from "../../diagnostics/diagnostic.ts";
import { writing } from "../correction.ts";
import type { Rule } from "../rule.ts";
import { errorName } from "./errors.ts";
import { unknownName } from "./known-types.ts";

/**
 * Every error that a method lists is declared in a schema file; the built-in ones need no listing.
 * Bad: `errors NotFuond`. Good: `errors NotFound`.
 */
export const methodErrors: Rule = (scope, report) => {
  if (scope.isPartial) return;
  const known = new Set(scope.errors.map(({ node }) => errorName(node)));
  for (const node of scope.file.declarations) {
    if (node.kind !== "service") continue;
    for (const method of node.methods) {
      for (const { text: name, span } of method.errors) {
        if (known.has(name) || scope.isLost(name)) continue;
        const place = { file: scope.file.source, span };
        const extra = apart(name, known, place) ?? unknownName(name, place, () => known, scope);
        report("unknown-error", { name, method: method.name.text }, span, extra);
      }
    }
  }
};

/** `Lost|Gone` without blanks is one word. */
function apart(name: string, known: ReadonlySet<string>, place: Location): Extra | undefined {
  const names = name.split("|");
  if (names.length < 2 || !names.every((each) => known.has(each))) return undefined;
  return { advice: 'Put a blank on either side of "|".', fix: writing(names.join(" | "), place) };
}
