import { defineRule, type LintRule } from "../rule.ts";
import { declarationsOf } from "../walk.ts";

/** Naming styles, the strictest first, because a single word may match several styles. */
const casings: Readonly<Record<string, RegExp>> = {
  UPPER_CASE: /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/,
  lower_case: /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/,
  camelCase: /^[a-z][A-Za-z0-9]*$/,
  PascalCase: /^[A-Z][A-Za-z0-9]*$/,
};

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
