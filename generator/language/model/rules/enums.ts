import type { EnumNode } from "../../syntax/tree.ts";
import { integers, isIntegerType } from "../core-types.ts";
import { enumValueOf, jsonLineOf } from "../enum-values.ts";
import { suggestName } from "../names.ts";
import type { Report, Rule } from "../rule.ts";
import type { Scope } from "../scope.ts";

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

/**
 * Enum values are unique, and values of an integer enum are integers within its base type.
 * Bad: `- A = 1`, `- B` (which is 1, its index). Good: `- A = 1`, `- B = 2`.
 */
export const enumValues: Rule = (scope, report) => {
  for (const node of scope.file.declarations) if (node.kind === "enum") checkEnum(node, scope, report);
};

function checkEnum(node: EnumNode, scope: Scope, report: Report): void {
  const base = node.base.text;
  const first = new Map<string, EnumNode["values"][number]>();
  for (const [index, item] of node.values.entries()) {
    const value = enumValueOf(node, index);
    const span = (item.value ?? item.name).span;
    if (isIntegerType(base) && !isIn(base, value)) report("enum-value", { value, base }, span);
    const earlier = first.get(value);
    if (earlier === undefined) first.set(value, item);
    else if (item.name.text !== earlier.name.text) {
      // A duplicate name has its own error.
      const notes = [{ message: "First given here.", at: { file: scope.file.source, span: earlier.span } }];
      report("duplicate-enum-value", { value, other: earlier.name.text }, span, { notes });
    }
  }
}

function isIn(base: string, value: string): boolean {
  if (!/^-?[0-9]+$/.test(value)) return false;
  const bits = BigInt(/[0-9]+$/.exec(base)?.[0] ?? 64);
  const [low, high] = base.startsWith("u") ? [0n, 2n ** bits] : [-(2n ** (bits - 1n)), 2n ** (bits - 1n)];
  const number = BigInt(value);
  return low <= number && number < high;
}

/**
 * `+ json` renames a value of an integer enum on the wire.
 * Bad: `+ json = cat` in a string enum. Good: `+ json = CAT` in an enum of integers.
 */
export const enumJsonNames: Rule = (scope, report) => {
  for (const node of scope.file.declarations) {
    if (node.kind !== "enum" || node.base.text !== "string") continue;
    for (const value of node.values) {
      const line = jsonLineOf(value);
      const parameters = { name: node.name.text, value: value.name.text };
      if (line !== undefined) report("enum-json-on-text", parameters, line.key.span);
    }
  }
};
