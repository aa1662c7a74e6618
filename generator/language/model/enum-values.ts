import type { EnumNode, EnumValueNode, MetaNode } from "../syntax/tree.ts";

/** Returns the value as the IR writes it. Without an explicit value, it is the index, or the name in a string enum. */
export function enumValueOf(node: EnumNode, index: number): string {
  const item = node.values[index];
  if (item?.value !== undefined) return item.value.value;
  return node.base.text === "string" ? (item?.name.text ?? "") : String(index);
}

/** Returns the text of a value in JSON: in an enum of integers its `+ json` or its name, in a string enum its value. */
export function enumWireOf(node: EnumNode, index: number): string {
  if (node.base.text === "string") return enumValueOf(node, index);
  const value = node.values[index] as EnumValueNode;
  return jsonLineOf(value)?.value.value ?? value.name.text;
}

export function jsonLineOf({ meta }: EnumValueNode): MetaNode | undefined {
  return meta.findLast(({ key }) => key.text === "json");
}
