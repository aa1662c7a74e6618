import { casings } from "../casing.ts";
import { defineRule, type LintRule } from "../rule.ts";
import { declarationsOf } from "../walk.ts";

/** All values of an enum use the same naming style. Bad: `- ACTIVE`, `- inactive`. Good: `- ACTIVE`, `- INACTIVE`. */
export const namingEnumValues: LintRule = defineRule({
  name: "naming-enum-values",
  preset: "recommended",
  check(schema, report) {
    for (const { node, file } of declarationsOf(schema, "enum")) {
      let possible = Object.values(casings);
      for (const value of node.values) {
        const { text: name, span } = value.name;
        const left = possible.filter((casing) => casing.test(name));
        if (left.length > 0) {
          possible = left;
          continue;
        }
        const first = node.values[0]?.name.text ?? name;
        if (first !== name) report({ name, other: first }, { file, span, owner: value });
        break;
      }
    }
  },
});
