import { isPascalCase } from "../casing.ts";
import { defineRule, type LintRule } from "../rule.ts";
import { declarationsOf } from "../walk.ts";
import { pascalAdvice } from "./naming.ts";

/** Bad: `error 1 Not_Found "…"`. Good: `error 1 NotFound "…"`. */
export const namingErrors: LintRule = defineRule({
  name: "naming-errors",
  preset: "recommended",
  check(schema, report) {
    for (const { node, file } of declarationsOf(schema, "error")) {
      const { text: name, span } = node.name;
      if (!isPascalCase(name)) report({ name }, { file, span, owner: node }, pascalAdvice(name));
    }
  },
});
