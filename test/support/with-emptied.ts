import type { Plan } from "../../generator/codegen/plan/plan.ts";
import type { ResolvedType } from "../../generator/language/model/types.ts";

/** A request with empty lists, maps and bytes in the place of null where they are required, which documents do not mention. */
export function withEmptied(plan: Plan, typeName: string, body: unknown): unknown {
  const types = plan.finder;
  return inStruct(typeName, body);

  function inStruct(name: string, value: unknown): unknown {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const entries = Object.entries(value).map(([key, part]): [string, unknown] => {
      const field = types
        .struct(name)
        .fields.find(({ wireName, aliases }) => [wireName, ...aliases].includes(key));
      if (field === undefined) return [key, part];
      const isRequired = !field.optional && !field.nullable && field.default === undefined;
      return [key, part === null && !isRequired ? null : inPlace(field.type, part)];
    });
    return Object.fromEntries(entries);
  }

  function inPlace(type: ResolvedType, value: unknown): unknown {
    if (value === null) return JSON.parse(types.emptyText(type) ?? "null");
    const end = types.unaliased(type);
    if (end.kind === "struct") return inStruct(end.name, value);
    if (end.kind === "list" && Array.isArray(value)) return value.map((item) => inPlace(end.element, item));
    if (end.kind !== "map" || typeof value !== "object" || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, inPlace(end.value, part)]));
  }
}
