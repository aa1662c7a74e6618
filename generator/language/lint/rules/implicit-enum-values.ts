import { isIntegerType } from "../../model/core-types/integers.ts";
import { defineRule, type LintRule } from "../rule.ts";
import { declarationsOf } from "../walk.ts";

/** Bad: `enum Kind: uint8` with `- USER`. Good: `- USER = 0`, which a value above it does not change. */
export const implicitEnumValues: LintRule = defineRule({
  name: "implicit-enum-values",
  preset: "strict",
  check(schema, report) {
    for (const { node, file } of declarationsOf(schema, "enum")) {
      if (!isIntegerType(node.base.text) || node.values.length === 0) continue;
      // If only some numbers are missing, mixed-enum-values reports them.
      if (node.values.some(({ value }) => value !== undefined)) continue;
      report({ name: node.name.text }, { file, span: node.name.span, owner: node });
    }
  },
});
