import { isIntegerType } from "../../model/core-types/integers.ts";
import { enumValueOf } from "../../model/rules/enum-values.ts";
import { defineRule, type LintRule } from "../rule.ts";
import { declarationsOf } from "../walk.ts";

/** Bad: `- A = 5`, `- B`, which is 1 and not 6. Good: a number for each, or for none. */
export const mixedEnumValues: LintRule = defineRule({
  name: "mixed-enum-values",
  preset: "recommended",
  check(schema, report) {
    for (const { node, file } of declarationsOf(schema, "enum")) {
      if (!isIntegerType(node.base.text) || node.values.every(({ value }) => value === undefined)) continue;
      for (const [index, item] of node.values.entries()) {
        if (item.value !== undefined) continue;
        const { text: name, span } = item.name;
        report({ name, value: enumValueOf(node, index) }, { file, span, owner: item });
      }
    }
  },
});
