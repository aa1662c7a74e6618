import { camelCase, kebabCase, pascalCase } from "../../plan/names.ts";

/** What templates of users may call beside Handlebars' own helpers. */
export const helpers: Readonly<Record<string, (...values: readonly unknown[]) => unknown>> = {
  /** `GetOrders` → `getOrders`. */
  camelCase: (name) => camelCase(String(name)),
  /** `get-orders` → `GetOrders`. */
  pascalCase: (name) => pascalCase(String(name)),
  /** `GetOrders` → `get-orders`. */
  kebabCase: (name) => kebabCase(String(name)),
  /** `GetOrders` → `get_orders`. */
  snakeCase: (name) => kebabCase(String(name)).replaceAll("-", "_"),
  upperCase: (text) => String(text).toUpperCase(),
  lowerCase: (text) => String(text).toLowerCase(),
  /** JSON, which is also a literal of many languages; a bigint as its digits. */
  json: (value) => JSON.stringify(value, (_key, one) => (typeof one === "bigint" ? Number(one) : one)),
  eq: (a, b) => a === b,
  not: (value) => !value,
  /** The last value is Handlebars' own options. */
  and: (...values) => values.slice(0, -1).every(Boolean),
  or: (...values) => values.slice(0, -1).some(Boolean),
  join: (list, separator) => (Array.isArray(list) ? list.join(String(separator)) : ""),
};
