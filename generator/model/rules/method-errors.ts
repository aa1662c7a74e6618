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
        const extra = unknownName(name, { file: scope.file.source, span }, () => known, scope);
        report("unknown-error", { name, method: method.name.text }, span, extra);
      }
    }
  }
};
