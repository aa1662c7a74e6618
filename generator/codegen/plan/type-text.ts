import type { CoreType } from "../../language/model/core-types/index.ts";
import { isBytes, type MapKeyType, type ResolvedType } from "../../language/model/types.ts";
import { coreTypeText, type ValueForms } from "./value-forms.ts";

/** What a named type is called where the text stands. */
export type NameOf = (identifier: string) => string;

/** How types are written: what each form of type is, from the texts of what it holds. */
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

/** A type as TypeScript writes it: `[]map<string,User>` → `Array<Record<string, User>>`. */
export function typeText(type: ResolvedType, nameOf: NameOf, forms: ValueForms): string {
  return printType(type, styleOf(nameOf, forms, mapText));
}

/** The same for an alias that holds itself, which TypeScript lets be an object type and not a `Record`. */
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

/** Keys of integers are decimal text in JSON; those of an enum need not all be there. */
function mapText(key: MapKeyType, value: string, forms: ValueForms): string {
  if (key.kind === "core") return `Record<${keyText(key.name, forms)}, ${value}>`;
  return `Partial<Record<${key.name}, ${value}>>`;
}

function indexText(key: MapKeyType, value: string, forms: ValueForms): string {
  if (key.kind !== "core") return `{ [key in ${key.name}]?: ${value} }`;
  return `{ [key: ${keyText(key.name, forms)}]: ${value} }`;
}

/** TypeScript has no keys that are bigints, but knows their text. */
function keyText(name: CoreType, forms: ValueForms): string {
  const text = coreTypeText(name, forms);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a template of the printed code
  return text === "bigint" ? "`${bigint}`" : text;
}
