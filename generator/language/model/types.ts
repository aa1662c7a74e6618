import type { CoreType } from "./core-types/index.ts";
import type { IntegerType } from "./core-types/integers.ts";

/**
 * Bytes that are no JSON. Not among the core types, because no value of JSON holds one: a file stands beside the body of a method, or
 * is all of its answer.
 */
export const fileType = "file";

/** What a type in the schema means, all names resolved. References go by name, since types may refer to themselves. */
export type ResolvedType =
  | { readonly kind: "core"; readonly name: CoreType }
  | { readonly kind: "list"; readonly element: ResolvedType }
  | { readonly kind: "map"; readonly key: MapKeyType; readonly value: ResolvedType }
  | TypeReference
  /** The reference tool lets a map without a value pass, and an imported alias whose target is not imported: any value fits. */
  | { readonly kind: "unknown" };

export interface TypeReference {
  readonly kind: "struct" | "enum" | "alias";
  readonly name: string;
}

export type MapKeyType =
  | { readonly kind: "core"; readonly name: "string" | IntegerType }
  | { readonly kind: "enum" | "alias"; readonly name: string };

/** `[]byte`, which is base64 text in JSON. */
export function isBytes(type: ResolvedType): boolean {
  return type.kind === "list" && type.element.kind === "core" && type.element.name === "byte";
}

/** Whether any JSON value fits. */
export function isAny(type: ResolvedType): boolean {
  return type.kind === "unknown" || (type.kind === "core" && type.name === "any");
}
