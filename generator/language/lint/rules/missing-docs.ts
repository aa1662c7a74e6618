import { docsOf } from "../../syntax/docs.ts";
import type { Declaration, MethodNode } from "../../syntax/tree.ts";
import { defineRule, type LintRule } from "../rule.ts";
import { declarationsOf, methodsOf } from "../walk.ts";

const words: Readonly<Record<(Declaration | MethodNode)["kind"], string>> = {
  struct: "struct",
  enum: "enum",
  alias: "type",
  error: "error",
  service: "service",
  method: "method",
};

/** Fields need no comment: most names are clear, and a comment that repeats the name adds nothing. */
export const missingDocs: LintRule = defineRule({
  name: "missing-docs",
  preset: "strict",
  check(schema, report) {
    const declarations = declarationsOf(schema, "struct", "enum", "alias", "error", "service");
    for (const { node, file } of [...declarations, ...methodsOf(schema)]) {
      if (docsOf(file, node).some((line) => line.trim() !== "")) continue;
      const name = node.kind === "service" ? node.name.value : node.name.text;
      report({ kind: words[node.kind], name }, { file, span: node.name.span, owner: node });
    }
  },
});
