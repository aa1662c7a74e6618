import {
  type BigIntegerRange,
  type CoreType,
  coreTypes,
  type IntegerDescriptor,
} from "../../language/model/core-types.ts";
import { isBytes, type MapKeyType, type ResolvedType } from "../../language/model/types.ts";

/** The TypeScript type of 64-bit integers. On the wire they are always JSON numbers. */
export type Int64Form = "number" | "bigint";

/**
 * The TypeScript type of timestamps. On the wire they are always text with up to nine fraction digits, of which a Date
 * keeps three.
 */
export type TimestampForm = "string" | "Date";

/**
 * The TypeScript type of enums in responses. A newer server may send values that the schema of a client lacks: open types
 * admit them, and with closed types the client rejects them.
 */
export type EnumForm = "open" | "closed";

export const enumForms: readonly EnumForm[] = ["open", "closed"];

/** The TypeScript types that the configuration can choose. */
export interface ValueForms {
  readonly int64: Int64Form;
  readonly timestamps: TimestampForm;
  readonly enums: EnumForm;
}

/** Returns the TypeScript type of a core type. */
export function coreTypeText(name: CoreType, forms: ValueForms): string {
  const { option, typescript } = coreTypes[name];
  return option === undefined ? typescript : forms[option];
}

/** Returns the range of an integer type that is a bigint in TypeScript. Undefined if it is a number. */
export function bigintRange({ bigRange }: IntegerDescriptor, form: Int64Form): BigIntegerRange | undefined {
  return form === "bigint" ? bigRange : undefined;
}

/** Returns the runtime function that converts a value for JSON.stringify. */
export function writerOf(
  name: CoreType,
  forms: ValueForms,
): "writeAny" | "writeAnyInt64" | "writeBigint" | "writeDate" | "writeScalar" {
  const { kind } = coreTypes[name];
  if (kind === "any") return forms.int64 === "bigint" ? "writeAnyInt64" : "writeAny";
  if (kind === "bigint") return "writeBigint";
  return coreTypeText(name, forms) === "Date" ? "writeDate" : "writeScalar";
}

/** Prints a reference to a type, by its name in the plan. */
export type NameOf = (identifier: string) => string;

/** How to print each kind of type. */
interface TypeStyle {
  readonly nameOf: NameOf;
  readonly core: (name: CoreType) => string;
  readonly list: (element: string) => string;
  readonly map: (key: MapKeyType, value: string) => string;
  /** Any value: a map without a value type, or an alias of a type that is not imported. */
  readonly unknown: string;
}

export function printType(type: ResolvedType, style: TypeStyle): string {
  switch (type.kind) {
    case "core":
      return style.core(type.name);
    case "list":
      return isBytes(type) ? "string" : style.list(printType(type.element, style));
    case "map":
      return style.map(type.key, printType(type.value, style));
    case "struct":
    case "enum":
    case "alias":
      return style.nameOf(type.name);
    case "unknown":
      return style.unknown;
  }
}

/** Prints a TypeScript type: `[]map<string,User>` → `Array<Record<string, User>>`. */
export function typeText(type: ResolvedType, nameOf: NameOf, forms: ValueForms): string {
  return printType(type, styleOf(nameOf, forms, mapText));
}

/**
 * Prints the target of a recursive alias. TypeScript allows recursion through an object type, but not through `Record`.
 */
export function circularTypeText(type: ResolvedType, nameOf: NameOf, forms: ValueForms): string {
  return printType(type, styleOf(nameOf, forms, indexText));
}

type MapText = (key: string, value: string, isPartial: boolean) => string;

function styleOf(nameOf: NameOf, forms: ValueForms, map: MapText): TypeStyle {
  return {
    nameOf,
    core: (name) => coreTypeText(name, forms),
    list: listText,
    // Integer keys are decimal text in JSON. Enum keys are optional.
    map: (key, value) =>
      key.kind === "core" ? map(keyText(key.name, forms), value, false) : map(nameOf(key.name), value, true),
    unknown: "unknown",
  };
}

function listText(element: string): string {
  return /^[A-Za-z0-9_$]+(\[\])*$/.test(element) ? `${element}[]` : `Array<${element}>`;
}

function mapText(key: string, value: string, isPartial: boolean): string {
  const text = `Record<${key}, ${value}>`;
  return isPartial ? `Partial<${text}>` : text;
}

function indexText(key: string, value: string, isPartial: boolean): string {
  return isPartial ? `{ [key in ${key}]?: ${value} }` : `{ [key: ${key}]: ${value} }`;
}

/** TypeScript has no bigint keys, but a template literal type describes their text. */
function keyText(name: CoreType, forms: ValueForms): string {
  const text = coreTypeText(name, forms);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a template of the printed code
  return text === "bigint" ? "`${bigint}`" : text;
}
