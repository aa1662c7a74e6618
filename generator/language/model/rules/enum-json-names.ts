import type { EnumNode, EnumValueNode, MetaNode } from "../../syntax/tree.ts";
import { foldCase } from "../names.ts";
import type { Report, Rule } from "../rule.ts";
import type { Scope } from "../scope.ts";
import { enumValueOf } from "./enum-values.ts";

/**
 * `+ json` renames a value of an integer enum on the wire. The name is not empty, and no other value has it, ignoring letter case.
 * Bad: `+ json = cat` in a string enum, or twice in one enum. Good: `+ json = CAT` in an enum of integers.
 */
export const enumJsonNames: Rule = (scope, report) => {
  // The reader of IR files has its own checks.
  if (scope.file.format === "ir") return;
  for (const node of scope.file.declarations) {
    if (node.kind !== "enum" || !node.values.some((value) => jsonLineOf(value) !== undefined)) continue;
    if (node.base.text === "string") rejectNames(node, report);
    else checkNames(node, scope, report);
  }
};

function rejectNames({ name, values }: EnumNode, report: Report): void {
  for (const value of values) {
    const line = jsonLineOf(value);
    if (line !== undefined)
      report("enum-json-on-text", { name: name.text, value: value.name.text }, line.key.span);
  }
}

function checkNames(node: EnumNode, scope: Scope, report: Report): void {
  const first = new Map<string, EnumValueNode>();
  for (const value of node.values) {
    const line = jsonLineOf(value);
    const span = (line?.value ?? value.name).span;
    const wire = line?.value.value ?? value.name.text;
    if (wire === "") report("enum-json-empty", { value: value.name.text }, span);
    const other = first.get(foldCase(wire));
    if (other === undefined) first.set(foldCase(wire), value);
    else if (foldCase(other.name.text) !== foldCase(value.name.text)) {
      // A duplicate name has its own error.
      const at = { file: scope.file.source, span: (jsonLineOf(other)?.value ?? other.name).span };
      const notes = [{ message: `"${other.name.text}" already has this name.`, at }];
      report("duplicate-json-name", { kind: "values", name: wire, type: node.name.text }, span, { notes });
    }
  }
}

function jsonLineOf({ meta }: EnumValueNode): MetaNode | undefined {
  return meta.findLast(({ key }) => key.text === "json");
}

/** Returns the text of a value in JSON: in an enum of integers its `+ json` or its name, in a string enum its value. */
export function enumWireOf(node: EnumNode, index: number): string {
  if (node.base.text === "string") return enumValueOf(node, index);
  const value = node.values[index] as EnumValueNode;
  return jsonLineOf(value)?.value.value ?? value.name.text;
}
