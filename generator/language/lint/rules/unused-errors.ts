import { errorsListedBy, listedErrors } from "../../model/listed-errors.ts";
import { defineRule, type LintRule } from "../rule.ts";

/**
 * An error is unused if every method lists its errors and none lists this one. A method without a list may return any error, so a
 * schema with such a method has no unused errors.
 */
export const unusedErrors: LintRule = defineRule({
  name: "unused-errors",
  preset: "strict",
  check({ root }, report) {
    const services = root.services.map(({ node }) => node);
    const methods = services.flatMap((service) => service.methods);
    if (methods.length === 0 || methods.some((method) => listedErrors(method) === undefined)) return;
    const named = new Set(services.flatMap(errorsListedBy));
    for (const { node, file } of root.errors) {
      const { text: name, span } = node.name;
      if (!named.has(name)) report({ name }, { file, span, owner: node });
    }
  },
});
