import { resolveType } from "../../language/model/resolve.ts";
import { wireNameOf } from "../../language/model/rules/json-names.ts";
import type { Scope } from "../../language/model/scope.ts";
import type { CoreType, ResolvedType } from "../../language/model/types.ts";
import type { ArgumentsNode, EnumNode, FieldNode, StructNode, TypeNode } from "../../language/syntax/tree.ts";

/** What each type of the language is in JSON. */
export const coreForms: Readonly<Record<CoreType | "file", string>> = {
  null: "`null`",
  any: "any JSON value",
  byte: "a number from 0 to 255; `[]byte` is base64 text",
  bool: "`true` or `false`",
  uint: "a whole number from 0 to 2^53 - 1",
  uint8: "a whole number from 0 to 255",
  uint16: "a whole number from 0 to 65,535",
  uint32: "a whole number from 0 to 4,294,967,295",
  uint64: "a whole number from 0 to 2^53 - 1",
  int: "a whole number within ±(2^53 - 1)",
  int8: "a whole number from -128 to 127",
  int16: "a whole number from -32,768 to 32,767",
  int32: "a whole number within 32 bits",
  int64: "a whole number within ±(2^53 - 1)",
  bigint: 'decimal digits as text: `"123456789012345678901234567890"`',
  float32: "a number",
  float64: "a number",
  string: "text",
  timestamp: 'text in RFC 3339, in UTC: `"2026-01-31T12:00:00Z"`',
  file: "bytes beside the JSON body, or in its place",
};

/** How deep structs within structs are written out. */
const depthMax = 2;
/** Fields of a struct that are written out. */
const fieldsMax = 40;

/**
 * A type as JSON, in the manner of TypeScript: `map<string,[]Kind>` → `{ [key: string]: ("cat" | "dog")[] }`.
 * Structs further down stand there by name.
 */
export function wireForm(type: TypeNode, scope: Scope): string {
  return formOf(resolveType(type, scope), scope, depthMax);
}

export function structForm(node: StructNode, scope: Scope): string {
  return fieldsForm(node.fields, scope, depthMax);
}

export function enumForm({ base, values }: EnumNode): string {
  const names = values.map(({ name, value }) =>
    JSON.stringify(base.text === "string" && value !== undefined ? value.value : name.text),
  );
  const shown = names.slice(0, fieldsMax);
  return [...shown, ...(names.length > shown.length ? ["…"] : [])].join(" | ");
}

/** The body of a call or of its answer. */
export function bodyForm({ succinct, list }: ArgumentsNode, scope: Scope): string {
  if (succinct !== undefined)
    return wireForm({ kind: "named", name: succinct.text, span: succinct.span }, scope);
  const parts = list.map(({ name, optional, type }) => part(name.text, optional, wireForm(type, scope)));
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}

function formOf(type: ResolvedType, scope: Scope, depth: number): string {
  switch (type.kind) {
    case "core":
      return jsonTypes[type.name];
    case "list": {
      if (type.element.kind === "core" && type.element.name === "byte") return "string /* base64 */";
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

const jsonTypes: Readonly<Record<CoreType, string>> = {
  null: "null",
  any: "any",
  byte: "number",
  bool: "boolean",
  uint: "number",
  uint8: "number",
  uint16: "number",
  uint32: "number",
  uint64: "number",
  int: "number",
  int8: "number",
  int16: "number",
  int32: "number",
  int64: "number",
  bigint: "string /* digits */",
  float32: "number",
  float64: "number",
  string: "string",
  timestamp: "string /* RFC 3339 */",
};
