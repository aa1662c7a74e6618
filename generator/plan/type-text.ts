import type { CoreType, MapKeyType, ResolvedType } from "../model/types.ts";

/** What a named type is called where the text stands. */
export type NameOf = (identifier: string) => string;

/** A type as TypeScript writes it: `[]map<string,User>` → `Array<Record<string, User>>`. */
export function typeText(type: ResolvedType, nameOf: NameOf): string {
  return printType(type, nameOf, mapText);
}

/** The same for an alias that holds itself, which TypeScript lets be an object type and not a `Record`. */
export function circularTypeText(type: ResolvedType, nameOf: NameOf): string {
  return printType(type, nameOf, indexText);
}

function printType(type: ResolvedType, nameOf: NameOf, printMap: typeof mapText): string {
  switch (type.kind) {
    case "core":
      return coreText[type.name];
    case "list":
      if (type.element.kind === "core" && type.element.name === "byte") return "string";
      return listText(printType(type.element, nameOf, printMap));
    case "map":
      return printMap(type.key, printType(type.value, nameOf, printMap));
    case "struct":
    case "enum":
    case "alias":
      return nameOf(type.name);
    case "unknown":
      return "unknown";
  }
}

/** On the wire `[]byte` is base64 text and a bigint decimal text; 64-bit integers are numbers within ±(2^53 - 1). */
const coreText: Readonly<Record<CoreType, string>> = {
  null: "null",
  any: "unknown",
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
  bigint: "bigint",
  float32: "number",
  float64: "number",
  string: "string",
  timestamp: "string",
};

function listText(element: string): string {
  return /^[A-Za-z0-9_$]+(\[\])*$/.test(element) ? `${element}[]` : `Array<${element}>`;
}

/** Keys of integers are decimal text in JSON; those of an enum need not all be there. */
function mapText(key: MapKeyType, value: string): string {
  if (key.kind === "core") return `Record<${key.name === "string" ? "string" : "number"}, ${value}>`;
  return `Partial<Record<${key.name}, ${value}>>`;
}

function indexText(key: MapKeyType, value: string): string {
  if (key.kind !== "core") return `{ [key in ${key.name}]?: ${value} }`;
  return `{ [key: ${key.name === "string" ? "string" : "number"}]: ${value} }`;
}
