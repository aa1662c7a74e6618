import { isBytes, type ResolvedType } from "../../../language/model/types.ts";
import type { Json } from "../json.ts";
import type { TypeFinder } from "../type-finder.ts";
import { coreTypeText, type ValueForms } from "../value-forms.ts";

/**
 * Returns a default as handlers receive it: with the defaults of its own fields. Undefined if a part of it is not JSON in
 * TypeScript, such as a Date.
 */
export function completeDefault(
  value: Json | bigint,
  type: ResolvedType,
  types: TypeFinder,
  forms: ValueForms,
): Json | bigint | undefined {
  if (typeof value === "bigint" || typeof value !== "object" || value === null) return value;
  const complete = (json: Json, of: ResolvedType): Json | undefined => {
    const resolved = types.unaliased(of);
    switch (resolved.kind) {
      case "core":
        return ["Date", "bigint"].includes(coreTypeText(resolved.name, forms)) ? undefined : json;
      case "list":
        if (isBytes(resolved)) return json;
        return all(json as readonly Json[], (item) => complete(item, resolved.element));
      case "map":
        return allOf(json as JsonObject, (item) => complete(item, resolved.value));
      case "struct": {
        const given = json as JsonObject;
        const fields = types
          .struct(resolved.name)
          .fields.flatMap(({ wireName, default: own, type: fieldType }) => {
            const field = given[wireName] ?? own;
            return field === undefined ? [] : [[wireName, field, fieldType] as const];
          });
        const completed = fields.map(([name, field, fieldType]) => [
          name,
          typeof field === "bigint" ? undefined : complete(field, fieldType),
        ]);
        return completed.some(([, field]) => field === undefined)
          ? undefined
          : (Object.fromEntries(completed) as Json);
      }
      default:
        return json;
    }
  };
  return complete(value, type);
}

type JsonObject = Readonly<Record<string, Json>>;

function all(list: readonly Json[], complete: (item: Json) => Json | undefined): Json | undefined {
  const items = list.map(complete);
  return items.some((item) => item === undefined) ? undefined : (items as Json);
}

function allOf(map: JsonObject, complete: (item: Json) => Json | undefined): Json | undefined {
  const entries = Object.entries(map).map(([key, item]) => [key, complete(item)]);
  return entries.some(([, item]) => item === undefined) ? undefined : (Object.fromEntries(entries) as Json);
}
