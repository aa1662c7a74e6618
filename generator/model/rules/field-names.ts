import type { Name } from "../../syntax/tree.ts";
import { foldName, isPlainName } from "../fold.ts";
import type { Report, Rule } from "../rule.ts";
import type { Scope } from "../scope.ts";

/**
 * Fields and enum values are named with letters, digits and "_", each once, letter case aside.
 * Bad: `- first-name: string`, `- id` beside `- ID`. Good: `- firstName: string`.
 */
export const fieldNames: Rule = (scope, report) => {
  for (const node of scope.file.declarations) {
    if (node.kind === "struct")
      checkNames(
        node.name.text,
        node.fields.map(({ name }) => name),
        scope,
        report,
      );
    else if (node.kind === "enum")
      checkNames(
        node.name.text,
        node.values.map(({ name }) => name),
        scope,
        report,
      );
  }
};

function checkNames(type: string, names: readonly Name[], scope: Scope, report: Report): void {
  const first = new Map<string, Name>();
  for (const { text: name, span } of names) {
    if (!isPlainName(name)) report("field-name", { name }, span);
    const earlier = first.get(foldName(name));
    if (earlier === undefined) first.set(foldName(name), { text: name, span });
    else {
      const notes = [
        { message: "First declared here.", at: { file: scope.file.source, span: earlier.span } },
      ];
      report("duplicate-field", { name, other: earlier.text, type }, span, { notes });
    }
  }
}
