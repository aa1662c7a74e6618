import type { ServiceNode } from "../../syntax/tree.ts";
import { isFileOutput, takesFile } from "../files.ts";
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
export function transfersFile(method: RoutedMethod, scope: Scope): boolean {
  return isFileOutput(method.output, scope) || takesFile(method, scope);
}
