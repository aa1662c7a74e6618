import { defineRule, type LintRule } from "../rule.ts";
import { declarationsOf } from "../walk.ts";

/** Where some methods of a service say what they raise, silence is more likely forgotten than meant. */
export const missingErrorsClause: LintRule = defineRule({
  name: "missing-errors-clause",
  preset: "strict",
  check(schema, report) {
    for (const { node: service, file } of declarationsOf(schema, "service")) {
      const speaking = service.methods.find(({ errors }) => errors.length > 0);
      if (speaking === undefined) continue;
      for (const method of service.methods) {
        const { text: name, span } = method.name;
        if (method.errors.length > 0 || method.proxy) continue;
        report({ name, other: speaking.name.text }, { file, span, owner: method });
      }
    }
  },
});
