import type { CoreType, IntegerType } from "./core-types.ts";

/**
 * Binary content. Not a core type, because no JSON value holds one: a file is sent next to a method's body, or is its whole
 * response.
 */
export const fileType = "file";

/** A type with all names resolved. Declared types are referenced by name, because types may be recursive. */
export type ResolvedType =
  | { readonly kind: "core"; readonly name: CoreType }
  | { readonly kind: "list"; readonly element: ResolvedType }
  | { readonly kind: "map"; readonly key: MapKeyType; readonly value: ResolvedType }
  | TypeReference
  /** Any value: webrpc accepts a map without a value type, and an imported alias whose target is not imported. */
  | { readonly kind: "unknown" };

export interface TypeReference {
  readonly kind: "struct" | "enum" | "alias";
  readonly name: string;
}

export type MapKeyType =
  | { readonly kind: "core"; readonly name: "string" | IntegerType }
  | { readonly kind: "enum" | "alias"; readonly name: string };

/** A type that is not an alias. */
export type UnaliasedType =
  | Exclude<ResolvedType, TypeReference>
  | { readonly kind: "struct" | "enum"; readonly name: string };

/** Resolves aliases. An alias of itself, which the rules reject, becomes unknown. */
export function unaliased(
  type: ResolvedType,
  targetOf: (alias: string) => ResolvedType | undefined,
): UnaliasedType {
  const seen = new Set<string>();
  let at = type;
  while (at.kind === "alias") {
    const target = seen.has(at.name) ? undefined : targetOf(at.name);
    if (target === undefined) return { kind: "unknown" };
    seen.add(at.name);
    at = target;
  }
  return at as UnaliasedType;
}

/** Whether the type is `[]byte`, which is base64 text in JSON. */
export function isBytes(type: ResolvedType): boolean {
  return type.kind === "list" && type.element.kind === "core" && type.element.name === "byte";
}

export function isSameType(a: ResolvedType, b: ResolvedType): boolean {
  // All types are built with their keys in the same order.
  return JSON.stringify(a) === JSON.stringify(b);
}

export function isAny(type: ResolvedType): boolean {
  return type.kind === "unknown" || (type.kind === "core" && type.name === "any");
}

/** Prints a type as RIDL does: `map<string,[]Pet>`. `nameOf` prints core types and references. */
export function ridlText(
  type: ResolvedType | MapKeyType,
  nameOf: (named: Extract<ResolvedType, { name: string }>) => string = ({ name }) => name,
): string {
  switch (type.kind) {
    case "list":
      return `[]${ridlText(type.element, nameOf)}`;
    case "map":
      return `map<${ridlText(type.key, nameOf)},${ridlText(type.value, nameOf)}>`;
    case "unknown":
      return "any";
    default:
      return nameOf(type);
  }
}
