/** Finds the types of an API as data. */
import type { McpApi, McpField, McpStruct, McpType } from "./mcp-api.ts";
import { hasOwn } from "./own-property.ts";

/** A type as RIDL writes it, taken apart. */
export type TypeShape =
  | { readonly kind: "list"; readonly item: string }
  | { readonly kind: "map"; readonly key: string; readonly value: string }
  | { readonly kind: "name"; readonly name: string };

/** `[]Item` → the list of `Item`. */
export function shapeOf(type: string): TypeShape {
  if (type.startsWith("[]")) return { kind: "list", item: type.slice(2) };
  const map = /^map<([^,]+),(.+)>$/.exec(type);
  if (map !== null) return { kind: "map", key: map[1] ?? "", value: map[2] ?? "" };
  return { kind: "name", name: type };
}

/** Returns a declared type. Undefined for built-in types. */
export function declaredType({ types }: McpApi, name: string): McpType | undefined {
  return hasOwn(types, name) ? types[name] : undefined;
}

/** Resolves aliases, which may be circular. */
export function unaliased(api: McpApi, type: string): string {
  let at = type;
  for (let level = 0; level < aliasesMax; level++) {
    const declared = declaredType(api, at);
    if (declared?.kind !== "alias") return at;
    at = declared.type;
  }
  return "any";
}

const aliasesMax = 100;

/** Returns a struct by its name or the name of an alias. Undefined for other types. */
export function structOf(api: McpApi, type: string): McpStruct | undefined {
  const declared = declaredType(api, unaliased(api, type));
  return declared?.kind === "struct" ? declared : undefined;
}

/** Returns the field that has a name in requests or responses. */
export function fieldNamed(struct: McpStruct, name: string): McpField | undefined {
  return (
    struct.fields.find((field) => field.name === name) ??
    struct.fields.find(({ aliases = [], twins = [] }) => aliases.includes(name) || twins.includes(name))
  );
}

/** Names of the types that a type refers to. */
export function typeNames(type: string): readonly string[] {
  const shape = shapeOf(type);
  if (shape.kind === "list") return typeNames(shape.item);
  return shape.kind === "map" ? [...typeNames(shape.key), ...typeNames(shape.value)] : [shape.name];
}
