import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { withoutEscape } from "../../generator/codegen/plan/names.ts";
import type { LoadedValidators } from "./validators.ts";

/** Plain ajv over the generated JSON Schema, in its strict mode: the reference that the generated validators are held to. */
export function plainAjv({ jsonSchema }: LoadedValidators): (definition: string) => ValidateFunction {
  const ajv = new Ajv2020({
    strict: true,
    // Else a field named `constructor` is found on every object.
    ownProperties: true,
    // `uri` and `email` are hints that nobody checks.
    formats: { "date-time": isOnCalendar, uri: true, email: true },
  });
  ajv.addSchema(jsonSchema);
  return (definition) => {
    const plain = withoutEscape(definition);
    const name = plain in jsonSchema.$defs ? plain : `${plain}.request`;
    const validate = ajv.getSchema(`${jsonSchema.$id}#/$defs/${name}`);
    if (validate === undefined) throw new Error(`no definition "${definition}"`);
    return validate as ValidateFunction;
  };
}

/** By way of `Date`, which rolls 30 February over into March; the pattern beside it has looked at the form. */
function isOnCalendar(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split("-").map(Number);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
