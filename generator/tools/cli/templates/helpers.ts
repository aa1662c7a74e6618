import { inlineComment } from "../../../codegen/emit/text.ts";
import { camelCase, kebabCase, pascalCase } from "../../../codegen/plan/names.ts";

/** Helpers for custom templates, in addition to those of Handlebars. */
export const helpers: Readonly<Record<string, (...values: readonly unknown[]) => unknown>> = {
  /** `GetOrders` → `getOrders`. */
  camelCase: (name) => camelCase(textOf("camelCase", name)),
  /** `get-orders` → `GetOrders`. */
  pascalCase: (name) => pascalCase(textOf("pascalCase", name)),
  /** `GetOrders` → `get-orders`. */
  kebabCase: (name) => kebabCase(textOf("kebabCase", name)),
  /** `GetOrders` → `get_orders`. */
  snakeCase: (name) => kebabCase(textOf("snakeCase", name)).replaceAll("-", "_"),
  upperCase: (text) => textOf("upperCase", text).toUpperCase(),
  lowerCase: (text) => textOf("lowerCase", text).toLowerCase(),
  /** Escapes text for a comment: it cannot end the comment, line breaks become spaces, control characters become `<U+001B>`. */
  comment: (text) => inlineComment(textOf("comment", text)),
  /** Prints JSON, which is also a valid literal in many languages. Prints bigints as numbers. */
  json: (value) => JSON.stringify(value, (_key, one) => (typeof one === "bigint" ? Number(one) : one)),
  eq: (a, b) => a === b,
  not: (value) => !value,
  /** Handlebars passes its options as the last argument. */
  and: (...values) => values.slice(0, -1).every(Boolean),
  or: (...values) => values.slice(0, -1).some(Boolean),
  /** Default separator: a comma. */
  join: (list, separator) => {
    if (list === null) return "";
    if (!Array.isArray(list)) throw new Error(`"join" takes a list; found ${kindOf(list)}.`);
    return list.join(typeof separator === "string" ? separator : ",");
  },
};

function textOf(helper: string, value: unknown): string {
  if (typeof value !== "object" && value !== undefined) return String(value);
  throw new Error(`"${helper}" takes a text; found ${kindOf(value)}.`);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `"${String(value)}"`;
}
