import { coreTypes } from "../../../language/model/core-types/index.ts";
import { isAny, isBytes, type MapKeyType, type ResolvedType } from "../../../language/model/types.ts";
import type { Plan, PlannedEnum, PlannedField, PlannedType } from "../../plan/plan.ts";
import { docComment, literal } from "../text.ts";
import type { FileNames } from "./names.ts";
import type { TypescriptOptions } from "./options.ts";

/** The types of the schema as gen-typescript shows them: an interface a struct, an enum, a type an alias. */
export function typeBlocks(
  { types }: Plan,
  names: FileNames,
  { enumStyle }: TypescriptOptions,
): readonly string[] {
  return types.map((type) => `${docComment(type, "")}${declaration(type, names, enumStyle)}`);
}

function declaration(type: PlannedType, names: FileNames, enumStyle: TypescriptOptions["enumStyle"]): string {
  const name = names.type(type.name);
  switch (type.kind) {
    case "struct":
      if (type.fields.length === 0) return `export interface ${name} {}`;
      return `export interface ${name} {\n${type.fields.map((field) => fieldLine(field, names)).join("\n")}\n}`;
    case "alias":
      return `export type ${name} = ${textOf(type.type, names)};`;
    case "enum":
      return enumStyle === "enum" ? enumText(type, name) : unionText(type, name);
  }
}

function fieldLine(field: PlannedField, names: FileNames): string {
  const { key, optional, nullable, type, default: preset } = field;
  const mark = optional || preset !== undefined ? "?" : "";
  return `${docComment(field, "  ")}  ${key}${mark}: ${textOf(type, names)}${nullable ? " | null" : ""};`;
}

function enumText({ values }: PlannedEnum, name: string): string {
  const entries = values.map((value) => `${docComment(value, "  ")}  ${value.key} = ${literal(value.wire)},`);
  return `export enum ${name} {\n${entries.join("\n")}\n}`;
}

function unionText({ values }: PlannedEnum, name: string): string {
  const types = values.map(
    (value) => `${docComment(value, "  ")}  readonly ${value.key}: ${literal(value.wire)};`,
  );
  const entries = values.map(({ key, wire }) => `  ${key}: ${literal(wire)},`);
  return [
    `export const ${name}: {\n${types.join("\n")}\n} = {\n${entries.join("\n")}\n};`,
    `export type ${name} = (typeof ${name})[keyof typeof ${name}];`,
  ].join("\n");
}

/** Where gen-typescript says what is not so on the wire, this says what is: a byte is a number, `[]byte` is base64 text. */
function textOf(type: ResolvedType, names: FileNames): string {
  switch (type.kind) {
    case "core":
      return isAny(type) ? "any" : coreTypes[type.name].typescript;
    case "list":
      if (isBytes(type)) return "string";
      return `Array<${textOf(type.element, names)}>`;
    case "map":
      return mapText(type.key, textOf(type.value, names), names);
    case "unknown":
      return "any";
    default:
      return names.type(type.name);
  }
}

function mapText(key: MapKeyType, value: string, names: FileNames): string {
  if (key.kind !== "core") return `{ [key in ${names.type(key.name)}]?: ${value} }`;
  return `{ [key: ${coreTypes[key.name].typescript}]: ${value} }`;
}
