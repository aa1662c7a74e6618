import type { ArgumentNode, MethodNode } from "../../syntax/tree.ts";
import { isIdentifier } from "../names.ts";
import type { Report, Rule } from "../rule.ts";
import type { Scope } from "../scope.ts";

/**
 * Argument names are identifiers and unique within a method.
 * Bad: `- Move(to: int, to: int)`. Good: `- Move(from: int, to: int)`.
 */
export const methodArguments: Rule = (scope, report) => {
  for (const node of scope.file.declarations) {
    if (node.kind === "service") for (const method of node.methods) checkMethod(method, scope, report);
  }
};

function checkMethod(method: MethodNode, scope: Scope, report: Report): void {
  for (const { list } of [method.input, method.output]) {
    if (list.length === 0) continue;
    const first = new Map<string, ArgumentNode>();
    for (const argument of list) {
      const { text: name, span } = argument.name;
      if (!isIdentifier(name)) report("argument-name", { name }, span);
      const earlier = first.get(name);
      if (earlier === undefined) first.set(name, argument);
      else {
        const notes = [
          { message: "First declared here.", at: { file: scope.file.source, span: earlier.span } },
        ];
        report("duplicate-argument", { name, method: method.name.text }, span, { notes });
      }
    }
  }
}
