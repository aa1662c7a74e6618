import type { Json } from "./json.ts";
import type { PlannedField, PlannedType } from "./plan.ts";
import { TypeFinder } from "./type-finder.ts";
import { parseValue } from "./value.ts";
import { coreTypeText, type ValueForms } from "./value-forms.ts";

/** Parses the defaults of all fields. Requires all types to be planned. */
export function withDefaults(types: readonly PlannedType[], forms: ValueForms): readonly PlannedType[] {
  const finder = new TypeFinder({ types });
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
