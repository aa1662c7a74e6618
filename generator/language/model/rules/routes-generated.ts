import { isRouted, routeText } from "../routes.ts";
import type { Rule } from "../rule.ts";

/** Code, mocks and tests do not support routes. Reports the first one, because all others have the same reason. */
export const routesGenerated: Rule = (scope, report) => {
  for (const { node, file } of scope.services) {
    const method = node.methods.find(isRouted);
    if (method === undefined) continue;
    report("routes-not-generated", { route: routeText(node, method) }, method.route.span, { file });
    return;
  }
};
