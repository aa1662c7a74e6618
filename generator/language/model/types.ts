/** The types that the language brings along, as written in RIDL. */
export const coreTypes = [
  "null",
  "any",
  "byte",
  "bool",
  "uint",
  "uint8",
  "uint16",
  "uint32",
  "uint64",
  "int",
  "int8",
  "int16",
  "int32",
  "int64",
  "bigint",
  "float32",
  "float64",
  "string",
  "timestamp",
] as const;

export type CoreType = (typeof coreTypes)[number];

export const integerTypes = [
  "uint",
  "uint8",
  "uint16",
  "uint32",
  "uint64",
  "int",
  "int8",
  "int16",
  "int32",
  "int64",
] as const;

export type IntegerType = (typeof integerTypes)[number];

/**
 * Bytes that are no JSON. Not among the core types, because no value of JSON holds one: a file stands beside the body of a method, or
 * is all of its answer.
 */
export const fileType = "file";

const coreTypeSet: ReadonlySet<string> = new Set(coreTypes);
const integerTypeSet: ReadonlySet<string> = new Set(integerTypes);

export function isCoreType(name: string): name is CoreType {
  return coreTypeSet.has(name);
}

export function isIntegerType(name: string): name is IntegerType {
  return integerTypeSet.has(name);
}

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
