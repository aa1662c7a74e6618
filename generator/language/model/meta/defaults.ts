/** Which texts `+ default` can have. */
import type { EnumNode, TypeNode } from "../../syntax/tree.ts";
import { coreTypes, isCoreType } from "../core-types.ts";
import { enumWireOf } from "../enum-values.ts";
import type { Scope } from "../scope.ts";

/** Returns undefined if the text is a value of the type, and a description of valid values otherwise. */
export function expectedDefault(text: string, type: TypeNode, scope: Scope): string | undefined {
  if (type.kind === "missing") return undefined;
  if (type.kind === "list") {
    const isBytes = type.element.kind === "named" && type.element.name === "byte";
    return isBytes || jsonKind(text) === "list" ? undefined : "a list in JSON";
  }
  if (type.kind === "map") return jsonKind(text) === "object" ? undefined : "an object in JSON";
  if (isCoreType(type.name))
    return coreTypes[type.name].isDefault(text) ? undefined : coreTypes[type.name].description;
  const found = scope.typeByName.get(type.name)?.node;
  if (found?.kind === "enum") {
    const names = found.values.map(({ name }) => `"${name.text}"`).join(" or ");
    return enumHas(found, text) ? undefined : names || "a value of the enum";
  }
  return found?.kind !== "struct" || jsonKind(text) === "object" ? undefined : "an object in JSON";
}

function jsonKind(text: string): "list" | "object" | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return "list";
    return typeof value === "object" && value !== null ? "object" : undefined;
  } catch {
    return undefined;
  }
}

/** Matches an enum value by name, by value, or by its text in JSON. */
function enumHas(node: EnumNode, text: string): boolean {
  return node.values.some(
    ({ name, value }, index) =>
      name.text === text || value?.value === text || enumWireOf(node, index) === text,
  );
}
