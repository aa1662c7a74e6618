/**
 * The meta keys that ridlkit reads. The names of JSON Schema mean what they mean there; the rest is ours. Keys of other tools
 * have a dot in them (`go.tag.db`) and pass through untouched.
 */
import type { MetaNode } from "../../syntax/tree.ts";
import { isPlainName } from "../fold.ts";

/** What a type is once its aliases are seen through, as far as meta keys care. */
export type Shape = "text" | "number" | "boolean" | "list" | "map" | "other";

export interface MetaKey {
  /** The rule for the value: undefined if it fits, else what is wanted. */
  readonly wants: (value: string) => string | undefined;
  /** Where it makes sense; all shapes if absent. */
  readonly shapes?: readonly Shape[];
  /** Names on the wire belong to a field, never to a type alias. */
  readonly fieldOnly?: true;
  /** May stand more than once. */
  readonly repeatable?: true;
}

export type MetaKeyName =
  | "json"
  | "pattern"
  | "minimum"
  | "maximum"
  | "minLength"
  | "maxLength"
  | "minItems"
  | "maxItems"
  | "format"
  | "default"
  | "default.empty"
  | "example"
  | "deprecated"
  | "alias"
  | "twin"
  | "accepts"
  | "normalize"
  | "nullable"
  | "secret"
  | "pii"
  | "renamedFrom";

/** JSON forms that `accepts` can name beside the type's own. */
export const acceptedForms = ["string", "integer", "number", "boolean"] as const;
export type AcceptedForm = (typeof acceptedForms)[number];

export const vocabulary: Readonly<Record<MetaKeyName, MetaKey>> = {
  json: { wants: () => undefined, fieldOnly: true },
  pattern: { wants: regex, shapes: ["text"] },
  minimum: { wants: number, shapes: ["number"] },
  maximum: { wants: number, shapes: ["number"] },
  minLength: { wants: count, shapes: ["text"] },
  maxLength: { wants: count, shapes: ["text"] },
  minItems: { wants: count, shapes: ["list", "map"] },
  maxItems: { wants: count, shapes: ["list", "map"] },
  format: { wants: anything, shapes: ["text", "number"] },
  default: { wants: anything },
  "default.empty": { wants: yes, shapes: ["text", "list", "map"] },
  example: { wants: anything, repeatable: true },
  deprecated: { wants: anything },
  alias: { wants: plainName, fieldOnly: true, repeatable: true },
  twin: { wants: plainName, fieldOnly: true, repeatable: true },
  accepts: { wants: forms, shapes: ["text", "number", "boolean"] },
  normalize: { wants: oneOf("lowercase"), shapes: ["text"] },
  nullable: { wants: oneOf("read", "always") },
  secret: { wants: yes },
  pii: { wants: yes },
  renamedFrom: { wants: plainName },
};

export function isOurMeta(key: string): key is MetaKeyName {
  return Object.hasOwn(vocabulary, key);
}

/** The vocabulary's word on a meta line, if it is one of ours. */
export function metaKey({ key }: MetaNode): MetaKey | undefined {
  return isOurMeta(key.text) ? vocabulary[key.text] : undefined;
}

function anything(): undefined {
  return undefined;
}

function yes(value: string): string | undefined {
  return value === "true" ? undefined : "true";
}

function count(value: string): string | undefined {
  return /^[0-9]+$/.test(value) && Number.isSafeInteger(Number(value)) ? undefined : "a whole number from 0";
}

function number(value: string): string | undefined {
  return /^-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?$/.test(value) ? undefined : "a number";
}

function regex(value: string): string | undefined {
  try {
    new RegExp(value, "u");
    return undefined;
  } catch {
    return "a regular expression (ECMA-262, unicode)";
  }
}

function plainName(value: string): string | undefined {
  return isPlainName(value) ? undefined : 'a name of letters, digits and "_"';
}

function forms(value: string): string | undefined {
  const known: ReadonlySet<string> = new Set(acceptedForms);
  return value.split(",").every((form) => known.has(form))
    ? undefined
    : `a list such as string,integer (of ${acceptedForms.join(", ")})`;
}

function oneOf(...options: readonly string[]): (value: string) => string | undefined {
  return (value) =>
    options.includes(value) ? undefined : options.map((option) => `"${option}"`).join(" or ");
}
