import type { Name } from "../../syntax/tree.ts";
import { foldCase, isIdentifier } from "../names.ts";
import type { Report, Rule } from "../rule.ts";
import type { Scope } from "../scope.ts";

/**
 * Fields and enum values are named with letters, digits and "_", each once, letter case aside.
 * Bad: `- first-name: string`, `- id` beside `- ID`. Good: `- firstName: string`.
 */
export const fieldNames: Rule = (scope, report) => {
  // One map for all types: making thousands of them costs more than emptying it.
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
