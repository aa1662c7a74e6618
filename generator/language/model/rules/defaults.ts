import type { EnumNode, MetaNode, TypeNode } from "../../syntax/tree.ts";
import { coreTypes, isCoreType } from "../core-types/index.ts";
import { aliasesOf } from "../meta/read.ts";
import type { Report, Rule } from "../rule.ts";
import type { Scope } from "../scope.ts";
import { enumWireOf } from "./enum-json-names.ts";

/**
 * A default must be a value of its type. Lists, maps and structs have no syntax for defaults and are skipped.
 * Bad: `+ default = 300` on a uint8. Good: `+ default = 30`.
 */
export const defaults: Rule = (scope, report) => {
  for (const node of scope.file.declarations) {
    if (node.kind === "alias") checkLines(node.meta, node.type, scope, report);
    else if (node.kind === "struct")
      for (const { meta, type } of node.fields) checkLines(meta, type, scope, report);
  }
};

function checkLines(meta: readonly MetaNode[], type: TypeNode, scope: Scope, report: Report): void {
  const line = meta.findLast(({ key }) => key.text === "default");
  if (line === undefined) return;
  const end = aliasesOf(type, scope).at(-1)?.type ?? type;
  if (end.kind !== "named") return;
  const { value, span } = line.value;
  if (!isValue(value, end.name, scope)) report("default-value", { value, type: end.name }, span);
}

function isValue(text: string, type: string, scope: Scope): boolean {
  if (isCoreType(type)) return coreTypes[type].isDefault(text);
  const found = scope.typeByName.get(type)?.node;
  return found?.kind !== "enum" || enumHas(found, text);
}

/** Matches an enum value by name, by value, or by its text in JSON. */
function enumHas(node: EnumNode, text: string): boolean {
  return node.values.some(
    ({ name, value }, index) =>
      name.text === text || value?.value === text || enumWireOf(node, index) === text,
  );
}
