import type { CoreType, MapKeyType, ResolvedType } from "../../language/model/types.ts";
import { type Int64Form, isWide, type ValueForms } from "./int64.ts";

/** What a named type is called where the text stands. */
export type NameOf = (identifier: string) => string;

/** A type as TypeScript writes it: `[]map<string,User>` → `Array<Record<string, User>>`. */
export function typeText(type: ResolvedType, nameOf: NameOf, forms: ValueForms): string {
  return print(type, { ...forms, nameOf, mapText });
}

/** The same for an alias that holds itself, which TypeScript lets be an object type and not a `Record`. */
export function circularTypeText(type: ResolvedType, nameOf: NameOf, forms: ValueForms): string {
  return print(type, { ...forms, nameOf, mapText: indexText });
}

interface Style extends ValueForms {
  readonly nameOf: NameOf;
  readonly mapText: typeof mapText;
}

function print(type: ResolvedType, style: Style): string {
  switch (type.kind) {
    case "core":
      if (type.name === "timestamp") return style.timestamps;
      return isWide(type.name, style.int64) ? "bigint" : coreText[type.name];
    case "list":
      if (type.element.kind === "core" && type.element.name === "byte") return "string";
      return listText(print(type.element, style));
    case "map":
      return style.mapText(type.key, print(type.value, style), style.int64);
    case "struct":
    case "enum":
    case "alias":
      return style.nameOf(type.name);
    case "unknown":
      return "unknown";
  }
}

/** On the wire `[]byte` is base64 text and a bigint decimal text; 64-bit integers are numbers within ±(2^53 - 1), unless bigints are asked for. */
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
function mapText(key: MapKeyType, value: string, int64: Int64Form): string {
  if (key.kind === "core") return `Record<${keyText(key.name, int64)}, ${value}>`;
  return `Partial<Record<${key.name}, ${value}>>`;
}

function indexText(key: MapKeyType, value: string, int64: Int64Form): string {
  if (key.kind !== "core") return `{ [key in ${key.name}]?: ${value} }`;
  return `{ [key: ${keyText(key.name, int64)}]: ${value} }`;
}

/** TypeScript has no keys that are bigints, but knows their text. */
function keyText(name: CoreType, int64: Int64Form): string {
  if (name === "string") return "string";
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a template of the printed code
  return isWide(name, int64) ? "`${bigint}`" : "number";
}
