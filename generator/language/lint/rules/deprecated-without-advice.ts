import type { Text } from "../../syntax/tree.ts";
import { defineRule, type LintRule } from "../rule.ts";
import { methodsOf, typedNodesOf } from "../walk.ts";

/** Bad: `@deprecated`. Good: `@deprecated:"use GetUser"`. */
export const deprecatedWithoutAdvice: LintRule = defineRule({
  name: "deprecated-without-advice",
  preset: "recommended",
  check(schema, report) {
    for (const { node, file } of methodsOf(schema)) {
      const annotation = node.annotations.find(({ name }) => name.text === "deprecated");
      if (annotation === undefined || hasAdvice(annotation.value)) continue;
      report({ name: node.name.text }, { file, span: annotation.span, owner: node });
    }
    for (const { node, meta, file } of typedNodesOf(schema)) {
      const line = meta.find(({ key }) => key.text === "deprecated");
      if (line === undefined || hasAdvice(line.value)) continue;
      report({ name: node.name.text }, { file, span: line.span, owner: node });
    }
  },
});

function hasAdvice(text: Text | undefined): boolean {
  return text !== undefined && !/^(true|yes|1)?$/i.test(text.value.trim());
}
