import { listedErrors } from "../../model/listed-errors.ts";
import { defineRule, type LintRule } from "../rule.ts";
import { methodsOf } from "../walk.ts";

/** If some methods list their errors, a method without a list was probably forgotten. */
export const missingErrorsClause: LintRule = defineRule({
  name: "missing-errors-clause",
  preset: "strict",
  check(schema, report) {
    const methods = [...methodsOf(schema)];
    const silent = methods.filter(({ node }) => listedErrors(node) === undefined);
    if (silent.length === methods.length) return;
    for (const { node, file } of silent) {
      const { text: name, span } = node.name;
      if (!node.proxy) report({ name }, { file, span, owner: node });
    }
  },
});
