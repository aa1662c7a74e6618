import type { Model } from "../model/model.ts";
import type { CoreType, MapKeyType, ResolvedType } from "../model/types.ts";
import { pascalCase } from "./names.ts";

/** A type as TypeScript writes it: `[]map<string,User>` → `Array<Record<string, User>>`. */
export function typeText(type: ResolvedType): string {
  switch (type.kind) {
    case "core":
      return coreText[type.name];
    case "list":
      if (type.element.kind === "core" && type.element.name === "byte") return "string";
      return listText(typeText(type.element));
    case "map":
      return mapText(type.key, typeText(type.value));
    case "struct":
    case "enum":
    case "alias":
      return pascalCase(type.name);
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
  return `Partial<Record<${pascalCase(key.name)}, ${value}>>`;
}

/** Whether a bigint is anywhere inside of a type, through aliases and structs. */
export function bigintFinder(model: Model): (type: ResolvedType) => boolean {
  const holders = typesWithBigint(model);
  const find = (type: ResolvedType): boolean => {
    switch (type.kind) {
      case "core":
        return type.name === "bigint";
      case "list":
        return find(type.element);
      case "map":
        return find(type.value);
      case "struct":
      case "alias":
        return holders.has(type.name);
      default:
        return false;
    }
  };
  return find;
}

/** From the types that name bigint back to all that lead to them: types may go in circles, and chains of them may be long. */
function typesWithBigint(model: Model): ReadonlySet<string> {
  const holders = new Set<string>();
  const users = new Map<string, string[]>();
  for (const type of model.types) {
    const parts =
      type.kind === "struct"
        ? type.fields.map((field) => field.type)
        : type.kind === "alias"
          ? [type.type]
          : [];
    for (const name of parts.map(innermost)) {
      if (name === "bigint") holders.add(type.name);
      else addTo(users, name, type.name);
    }
  }
  // A set may grow while it is walked.
  for (const holder of holders) for (const user of users.get(holder) ?? []) holders.add(user);
  return holders;
}

/** The name inside of all lists and maps. */
function innermost(type: ResolvedType): string {
  if (type.kind === "list") return innermost(type.element);
  if (type.kind === "map") return innermost(type.value);
  return type.kind === "unknown" ? "" : type.name;
}

function addTo(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
