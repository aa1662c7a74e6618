import { coreTypes } from "../../../language/model/core-types.ts";
import type { ResolvedType } from "../../../language/model/types.ts";
import type {
  Plan,
  PlannedEnum,
  PlannedField,
  PlannedFile,
  PlannedStruct,
  PlannedType,
} from "../../plan/plan.ts";
import { printType } from "../../plan/type-text.ts";
import { docComment, literal } from "../text.ts";
import type { FileNames } from "./names.ts";
import type { TypescriptOptions } from "./options.ts";

/**
 * Prints the types of the schema like gen-typescript: an interface for each struct, an enum for each enum, and a type for each alias.
 */
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
    case "struct": {
      const lines = [
        ...type.fields.map((field) => fieldLine(field, type, names)),
        ...(type.files ?? []).map(fileLine),
      ];
      if (lines.length === 0) return `export interface ${name} {}`;
      return `export interface ${name} {\n${lines.join("\n")}\n}`;
    }
    case "alias":
      return `export type ${name} = ${textOf(type.type, names)};`;
    case "enum":
      return enumStyle === "enum" ? enumText(type, name) : unionText(type, name);
  }
}

function fieldLine(field: PlannedField, { inRequests }: PlannedStruct, names: FileNames): string {
  const { key, optional, nullable, type, default: defaultValue } = field;
  // Requests may omit what responses have as null.
  const isOptional = optional || defaultValue !== undefined || (nullable && inRequests);
  const mark = isOptional ? "?" : "";
  return `${docComment(field, "  ")}  ${key}${mark}: ${textOf(type, names)}${nullable ? " | null" : ""};`;
}

function fileLine(file: PlannedFile): string {
  const type = file.isList ? "Array<Blob | File>" : "Blob | File";
  return `${docComment(file, "  ")}  ${file.key}${file.optional ? "?" : ""}: ${type};`;
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

/**
 * Where gen-typescript's types differ from the wire, these types follow the wire: a byte is a number, `[]byte` is
 * base64 text.
 */
function textOf(type: ResolvedType, names: FileNames): string {
  return printType(type, {
    nameOf: (identifier) => names.type(identifier),
    core: (name) => (coreTypes[name].kind === "any" ? "any" : coreTypes[name].typescript),
    list: (element) => `Array<${element}>`,
    map: (key, value) =>
      key.kind === "core"
        ? `{ [key: ${coreTypes[key.name].typescript}]: ${value} }`
        : `{ [key in ${names.type(key.name)}]?: ${value} }`,
    unknown: "any",
  });
}
