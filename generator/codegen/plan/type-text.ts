import type { CoreType } from "../../language/model/core-types/index.ts";
import { isBytes, type MapKeyType, type ResolvedType } from "../../language/model/types.ts";
import { coreTypeText, type ValueForms } from "./value-forms.ts";

/** Returns the name of a type in the printed file. */
export type NameOf = (identifier: string) => string;

/** How to print each kind of type. */
export interface TypeStyle {
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

function styleOf(nameOf: NameOf, forms: ValueForms, map: typeof mapText): TypeStyle {
  return {
    nameOf,
    core: (name) => coreTypeText(name, forms),
    list: listText,
    map: (key, value) => map(key, value, forms),
    unknown: "unknown",
  };
}

function listText(element: string): string {
  return /^[A-Za-z0-9_$]+(\[\])*$/.test(element) ? `${element}[]` : `Array<${element}>`;
}

/** Integer keys are decimal text in JSON. Enum keys are optional. */
function mapText(key: MapKeyType, value: string, forms: ValueForms): string {
  if (key.kind === "core") return `Record<${keyText(key.name, forms)}, ${value}>`;
  return `Partial<Record<${key.name}, ${value}>>`;
}

function indexText(key: MapKeyType, value: string, forms: ValueForms): string {
  if (key.kind !== "core") return `{ [key in ${key.name}]?: ${value} }`;
  return `{ [key: ${keyText(key.name, forms)}]: ${value} }`;
}

/** TypeScript has no bigint keys, but a template literal type describes their text. */
function keyText(name: CoreType, forms: ValueForms): string {
  const text = coreTypeText(name, forms);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a template of the printed code
  return text === "bigint" ? "`${bigint}`" : text;
}
