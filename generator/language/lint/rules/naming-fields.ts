import { isCamelCase, toCamelCase } from "../casing.ts";
import { defineRule, type LintRule } from "../rule.ts";
import { typedNodesOf } from "../walk.ts";

/** Bad: `- created_at: timestamp`. Good: `- createdAt: timestamp`, with `+ json = created_at` for the name on the wire. */
export const namingFields: LintRule = defineRule({
  name: "naming-fields",
  preset: "strict",
  check(schema, report) {
    for (const { node, owner, file } of typedNodesOf(schema)) {
      const { text: name, span } = node.name;
      if (("kind" in node && node.kind === "alias") || isCamelCase(name)) continue;
      const better = toCamelCase(name);
      report({ name }, { file, span, owner }, isCamelCase(better) ? { advice: `Write "${better}".` } : {});
    }
  },
});
