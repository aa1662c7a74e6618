import { isCoreType, mayExceedSafeInteger } from "../../model/core-types/index.ts";
import type { MetaNode } from "../../syntax/tree.ts";
import { defineRule, type LintRule } from "../rule.ts";
import { namesIn, typedNodesOf } from "../walk.ts";

/** Bad: `- balance: uint64`. Good: `- balance: bigint`, or a `maximum` that every reader can represent exactly. */
export const precisionLoss: LintRule = defineRule({
  name: "precision-loss",
  preset: "strict",
  check(schema, report) {
    for (const { node, meta, owner, file } of typedNodesOf(schema)) {
      const type = namesIn(node.type).find((name) => isCoreType(name) && mayExceedSafeInteger(name));
      if (type === undefined || (node.type.kind === "named" && isBounded(type, meta))) continue;
      report({ name: node.name.text, type }, { file, span: node.type.span, owner });
    }
  },
});

function isBounded(type: string, meta: readonly MetaNode[]): boolean {
  const isSafe = (key: string): boolean =>
    meta.some(({ key: { text }, value }) => text === key && Number.isSafeInteger(Number(value.value)));
  return isSafe("maximum") && (type.startsWith("u") || isSafe("minimum"));
}
