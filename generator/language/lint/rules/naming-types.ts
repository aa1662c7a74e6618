import { isPascalCase } from "../casing.ts";
import { defineRule, type LintRule } from "../rule.ts";
import { declarationsOf } from "../walk.ts";
import { pascalAdvice } from "./naming.ts";

/** Bad: `struct User_Role`. Good: `struct UserRole`. */
export const namingTypes: LintRule = defineRule({
  name: "naming-types",
  preset: "recommended",
  check(schema, report) {
    for (const { node, file } of declarationsOf(schema, "struct", "enum", "alias")) {
      const { text: name, span } = node.name;
      if (!isPascalCase(name)) report({ name }, { file, span, owner: node }, pascalAdvice(name));
    }
  },
});
