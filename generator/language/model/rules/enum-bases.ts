import { integers, isIntegerType } from "../core-types/integers.ts";
import { suggestName } from "../name-fixes.ts";
import type { Rule } from "../rule.ts";

/**
 * An enum is based on string or an integer type.
 * Bad: `enum Kind: float64`. Good: `enum Kind: uint8`.
 */
export const enumBases: Rule = (scope, report) => {
  for (const node of scope.file.declarations) {
    if (node.kind !== "enum") continue;
    const { text, span } = node.base;
    if (text === "string" || isIntegerType(text)) continue;
    const extra = suggestName(text, { file: scope.file.source, span }, () => [
      "string",
      ...Object.keys(integers),
    ]);
    report("enum-base", { name: node.name.text, base: text }, span, extra);
  }
};
