import type { Name } from "../../syntax/tree.ts";
import { foldCase, isIdentifier } from "../names.ts";
import type { Report, Rule } from "../rule.ts";
import type { Scope } from "../scope.ts";

/**
 * Names of fields and enum values consist of letters, digits and "_", and are unique, ignoring letter case.
 * Bad: `- first-name: string`, `- id` and `- ID`. Good: `- firstName: string`.
 */
export const fieldNames: Rule = (scope, report) => {
  // Reused for all types: clearing one map is cheaper than allocating thousands.
  const first = new Map<string, Name>();
  for (const node of scope.file.declarations) {
    first.clear();
    if (node.kind === "struct") checkNames(node.name.text, "fields", node.fields, first, scope, report);
    else if (node.kind === "enum") checkNames(node.name.text, "values", node.values, first, scope, report);
  }
};

function checkNames(
  type: string,
  kind: "fields" | "values",
  nodes: readonly { readonly name: Name }[],
  first: Map<string, Name>,
  scope: Scope,
  report: Report,
): void {
  for (const node of nodes) {
    const name = node.name.text;
    const isPlain = isIdentifier(name);
    if (!isPlain) report("field-name", { name }, node.name.span);
    const folded = isPlain ? name.toLowerCase() : foldCase(name);
    const earlier = first.get(folded);
    if (earlier === undefined) first.set(folded, node.name);
    else {
      const notes = [
        { message: "First declared here.", at: { file: scope.file.source, span: earlier.span } },
      ];
      report(
        name === earlier.text ? "duplicate-field" : "field-case",
        { name, other: earlier.text, type, kind },
        node.name.span,
        { notes },
      );
    }
  }
}
