import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { withoutEscape } from "../../generator/codegen/plan/names.ts";
import { formats } from "../../generator/verify/responses/response-validator.ts";
import type { LoadedValidators } from "./validators.ts";

/** Plain ajv over the generated JSON Schema, in its strict mode: the reference that the generated validators are held to. */
export function plainAjv({ jsonSchema }: LoadedValidators): (definition: string) => ValidateFunction {
  const ajv = new Ajv2020({
    strict: true,
    // Else a field named `constructor` is found on every object.
    ownProperties: true,
    formats,
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
