import type { MetaNode } from "../../syntax/tree.ts";
import { defineRule, type LintRule } from "../rule.ts";
import { namesIn, typedNodesOf } from "../walk.ts";

/** The integers that RIDL writes as JSON numbers and that hold more than a double does. */
const wide: ReadonlySet<string> = new Set(["int", "uint", "int64", "uint64"]);

/** Bad: `- balance: uint64`. Good: `- balance: bigint`, or a `maximum` that every reader holds. */
export const precisionLoss: LintRule = defineRule({
  name: "precision-loss",
  preset: "strict",
  check(schema, report) {
    for (const { node, meta, owner, file } of typedNodesOf(schema)) {
      const type = namesIn(node.type).find((name) => wide.has(name));
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
