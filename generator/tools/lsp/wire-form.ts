import { type CoreType, coreTypes } from "../../language/model/core-types/index.ts";
import { resolveType } from "../../language/model/resolve.ts";
import { enumWireOf } from "../../language/model/rules/enum-json-names.ts";
import { wireNameOf } from "../../language/model/rules/json-names.ts";
import type { Scope } from "../../language/model/scope.ts";
import { fileType, isBytes, type ResolvedType } from "../../language/model/types.ts";
import type { ArgumentsNode, EnumNode, FieldNode, StructNode, TypeNode } from "../../language/syntax/tree.ts";

/** Describes the JSON form of a core type. */
export function coreForm(name: CoreType | typeof fileType): string {
  return name === fileType ? "bytes next to the JSON body, or instead of it" : coreTypes[name].description;
}

/** Levels of nested structs that are expanded. */
const depthMax = 2;
/** Maximum number of fields shown of a struct. */
const fieldsMax = 40;

/**
 * Prints the JSON form of a type in TypeScript syntax: `map<string,[]Kind>` → `{ [key: string]: ("cat" | "dog")[] }`.
 * Structs nested deeper than `depthMax` are printed by name.
 */
export function wireForm(type: TypeNode, scope: Scope): string {
  return formOf(resolveType(type, scope), scope, depthMax);
}

export function structForm(node: StructNode, scope: Scope): string {
  return fieldsForm(node.fields, scope, depthMax);
}

export function enumForm(node: EnumNode): string {
  const names = node.values.map((_, index) => JSON.stringify(enumWireOf(node, index)));
  const shown = names.slice(0, fieldsMax);
  return [...shown, ...(names.length > shown.length ? ["…"] : [])].join(" | ");
}

/** The body of a request or response. */
export function bodyForm({ succinct, list }: ArgumentsNode, scope: Scope): string {
  if (succinct !== undefined)
    return wireForm({ kind: "named", name: succinct.text, span: succinct.span }, scope);
  const parts = list.map(({ name, optional, type }) => part(name.text, optional, wireForm(type, scope)));
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}

function formOf(type: ResolvedType, scope: Scope, depth: number): string {
  switch (type.kind) {
    case "core":
      return coreTypes[type.name].json;
    case "list": {
      if (isBytes(type)) return "string /* base64 */";
      const item = formOf(type.element, scope, depth);
      return item.includes(" | ") ? `(${item})[]` : `${item}[]`;
    }
    case "map":
      return `{ [key: ${type.key.name}]: ${formOf(type.value, scope, depth)} }`;
    case "unknown":
      return "unknown";
    default: {
      const declared = scope.typeByName.get(type.name);
      if (declared === undefined) return type.name;
      const { node } = declared;
      if (node.kind === "enum") return node.values.length <= 12 ? enumForm(node) : node.name.text;
      if (depth === 0) return node.name.text;
      if (node.kind === "alias") return formOf(resolveType(node.type, scope), scope, depth - 1);
      return fieldsForm(node.fields, scope, depth - 1);
    }
  }
}

function fieldsForm(fields: readonly FieldNode[], scope: Scope, depth: number): string {
  const parts = fields.flatMap((field) => {
    const name = wireNameOf(field);
    return name === undefined
      ? []
      : [part(name, field.optional, formOf(resolveType(field.type, scope), scope, depth))];
  });
  if (parts.length === 0) return "{}";
  const shown = [...parts.slice(0, fieldsMax), ...(parts.length > fieldsMax ? ["…"] : [])];
  const line = `{ ${shown.join(", ")} }`;
  if (depth < depthMax || line.length <= 80) return line;
  return `{\n${shown.map((each) => `  ${each}`).join(",\n")}\n}`;
}

function part(name: string, optional: boolean, form: string): string {
  return `${JSON.stringify(name)}${optional ? "?" : ""}: ${form}`;
}
