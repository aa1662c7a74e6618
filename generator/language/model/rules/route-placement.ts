import type { ServiceNode } from "../../syntax/tree.ts";
import { fileFieldsOf, fileForm, isFileOutput, structWithFiles } from "../files.ts";
import { foldCase } from "../names.ts";
import { isRouted, type RoutedMethod } from "../routes.ts";
import type { Rule } from "../rule.ts";
import type { Scope } from "../scope.ts";

/**
 * A method that streams or transfers a file has no route: both need their own form of the call.
 * Bad: `- Watch() => stream (pet: Pet)` with `GET /pets`. Good: the method without a route.
 */
export const routePlacement: Rule = (scope, report) => {
  for (const node of scope.file.declarations) {
    if (node.kind !== "service") continue;
    for (const method of routedOf(node)) {
      const { name, input, output, route } = method;
      const parameters = { method: name.text };
      if (input.stream || output.stream) report("route-of-stream", parameters, route.span);
      else if (transfersFile(method, scope)) report("route-of-file", parameters, route.span);
    }
  }
};

function routedOf({ methods }: ServiceNode): readonly RoutedMethod[] {
  return methods.filter(isRouted);
}

/** Whether a method receives or returns a file. */
export function transfersFile({ input, output }: RoutedMethod, scope: Scope): boolean {
  const { succinct, list } = input;
  const struct = succinct && scope.typeByFoldedName.get(foldCase(succinct.text))?.node;
  return (
    isFileOutput(output, scope) ||
    list.some(({ type }) => fileForm(type) !== undefined || structWithFiles(type, scope) !== undefined) ||
    (struct?.kind === "struct" && fileFieldsOf(struct).length > 0)
  );
}
