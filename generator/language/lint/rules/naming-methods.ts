import { isPascalCase } from "../casing.ts";
import { defineRule, type LintRule } from "../rule.ts";
import { methodsOf } from "../walk.ts";
import { pascalAdvice } from "./naming.ts";

/** Bad: `- get_user()`. Good: `- GetUser()`. */
export const namingMethods: LintRule = defineRule({
  name: "naming-methods",
  preset: "recommended",
  check(schema, report) {
    for (const { node, file } of methodsOf(schema)) {
      const { text: name, span } = node.name;
      if (!isPascalCase(name)) report({ name }, { file, span, owner: node }, pascalAdvice(name));
    }
  },
});
