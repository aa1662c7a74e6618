import { type CoreKind, coreTypes } from "../../language/model/core-types.ts";
import type { Constraints } from "../../language/model/meta/read.ts";
import { isBytes, type ResolvedType } from "../../language/model/types.ts";
import { memoize } from "../../language/source/memoize.ts";
import type { Json } from "./json.ts";
import { type PlannedEnum, type PlannedField, type PlannedType, TypeFinder } from "./plan.ts";
import { coreTypeText, type ValueForms } from "./type-text.ts";

/**
 * Parses the value of a meta key, such as `default = 30`, as a JSON value of its type. Bigints become strings. `""` is the
 * empty list, map or struct. Returns undefined for an invalid value.
 */
export function parseValue(text: string, type: ResolvedType, types: TypeFinder): Json | undefined {
  const resolved = types.unaliased(type);
  switch (resolved.kind) {
    case "core":
      return readers[coreTypes[resolved.name].kind](text);
    case "enum":
      return enumValue(text, types.enum(resolved.name));
    case "list":
      if (isBytes(resolved)) return text;
      return text === "" ? [] : jsonValue(text, Array.isArray);
    case "map":
    case "struct":
      if (text === "") return {};
      return jsonValue(text, (value) => typeof value === "object" && value !== null && !Array.isArray(value));
    case "unknown":
      return readers.any(text);
  }
}

const readers: Readonly<Record<CoreKind, (text: string) => Json | undefined>> = {
  any: (text) => jsonValue(text, () => true) ?? text,
  null: (text) => (text === "null" ? null : undefined),
  boolean: (text) => jsonValue(text, (value) => typeof value === "boolean"),
  integer: (text) => jsonValue(text, Number.isSafeInteger),
  float: (text) => jsonValue(text, Number.isFinite),
  bigint: (text) => (/^-?[0-9]+$/.test(text) ? String(BigInt(text)) : undefined),
  text: (text) => text,
  formatted: (text) => text,
};

/** Accepts the entry's name, its number or its JSON text. */
function enumValue(text: string, type: PlannedEnum): string | undefined {
  return type.values.find(({ wire, key, number }) => [wire, key, number].includes(text))?.wire;
}

function jsonValue(text: string, fits: (value: unknown) => boolean): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return fits(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Parses the defaults of all fields. Requires all types to be planned. */
export function withDefaults(types: readonly PlannedType[], forms: ValueForms): readonly PlannedType[] {
  const finder = new TypeFinder(types);
  return types.map((type) => {
    if (type.kind !== "struct" || type.fields.every(({ constraints }) => constraints.default === undefined))
      return type;
    return { ...type, fields: type.fields.map((field) => withDefault(field, finder, forms)) };
  });
}

function withDefault(field: PlannedField, types: TypeFinder, forms: ValueForms): PlannedField {
  const value = readDefault(field, types, forms);
  return value === undefined ? field : { ...field, default: value };
}

function readDefault(
  { type, constraints }: PlannedField,
  types: TypeFinder,
  forms: ValueForms,
): Json | bigint | undefined {
  if (constraints.default === undefined) return undefined;
  const value = parseValue(constraints.default, type, types);
  const resolved = types.unaliased(type);
  const isBigint = resolved.kind === "core" && coreTypeText(resolved.name, forms) === "bigint";
  if (isBigint && value !== undefined) return BigInt(String(value));
  return constraints.normalize === "lowercase" && typeof value === "string" ? value.toLowerCase() : value;
}

/** Requests are decoded from several accepted forms. Responses must have exactly the declared form. */
export type Side = "request" | "response";

/** Returns a key that is equal for constraints with the same effect on validation. Ignores documentation. */
export const constraintKey: (constraints: Constraints) => string = memoize((constraints) => {
  const {
    pattern,
    minimum,
    maximum,
    minLength,
    maxLength,
    minItems,
    maxItems,
    accepts,
    normalize,
    format,
    message,
  } = constraints;
  const bounds = [minimum, maximum, minLength, maxLength, minItems, maxItems].map((bound) => String(bound));
  return JSON.stringify([
    pattern ?? null,
    ...bounds,
    accepts,
    normalize ?? null,
    format ?? null,
    message ?? null,
  ]);
});
