import { growthOf } from "../patterns/growth.ts";
import { defineRule, type LintRule } from "../rule.ts";
import { typedNodesOf } from "../walk.ts";

/** Bad: `+ pattern = "^([a-z]+)+$"`. Good: `+ pattern = "^[a-z]+$"`. */
export const unsafePattern: LintRule = defineRule({
  name: "unsafe-pattern",
  preset: "default",
  async check(schema, report) {
    for (const { meta, owner, file } of typedNodesOf(schema)) {
      for (const { key, value } of meta) {
        const growth = key.text === "pattern" ? await growthOf(value.value) : undefined;
        if (growth === undefined) continue;
        const advice = `Rewrite it so that a string can match in one way only. For example, it is slow for ${growth.attack}.`;
        report({ growth: growth.kind }, { file, span: value.span, owner }, { advice });
      }
    }
  },
});
