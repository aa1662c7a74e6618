import type { CoreType } from "../../language/model/core-types/index.ts";
import { isBytes, type MapKeyType, type ResolvedType } from "../../language/model/types.ts";
import { coreText, type ValueForms } from "./int64.ts";

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
      return coreText(type.name, style);
    case "list":
      if (isBytes(type)) return "string";
      return listText(print(type.element, style));
    case "map":
      return style.mapText(type.key, print(type.value, style), style);
    case "struct":
    case "enum":
    case "alias":
      return style.nameOf(type.name);
    case "unknown":
      return "unknown";
  }
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
  const text = coreText(name, forms);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a template of the printed code
  return text === "bigint" ? "`${bigint}`" : text;
}
