import { isRouted, routeText } from "../routes.ts";
import type { Rule } from "../rule.ts";

/** Rejects routes for a user that does not support them. Reports the first one: all others have the same reason. */
export function routesSupported(user: string): Rule {
  return (scope, report) => {
    for (const { node, file } of scope.services) {
      const method = node.methods.find(isRouted);
      if (method === undefined) continue;
      report("routes-unsupported", { user, route: routeText(node, method) }, method.route.span, { file });
      return;
    }
  };
}
