import { transformSync } from "esbuild";
import { emitJsonSchema } from "../../generator/codegen/emit/json-schema/index.ts";
import { emitValidators } from "../../generator/codegen/emit/validators/index.ts";
import type { Plan } from "../../generator/codegen/plan/plan.ts";
import type { Issues } from "../../generator/runtime/src/errors.ts";
import * as runtime from "../../generator/runtime/src/validation.ts";

export type Validate = (value: unknown) => Issues | undefined;

/** The generated validators of a plan, running on the runtime's sources, and the JSON Schema beside them. */
export interface LoadedValidators {
  read(typeName: string): Validate;
  check(typeName: string): Validate;
  /** What goes over the wire. */
  write(typeName: string): (value: unknown) => unknown;
  readonly jsonSchema: { readonly $id: string; readonly $defs: Readonly<Record<string, object>> };
}

export function loadValidators(plan: Plan): LoadedValidators {
  const [file] = emitValidators(plan);
  const exports = run(file?.text ?? "");
  const [schema] = emitJsonSchema(plan);
  return {
    read: (typeName) => exports[`read${typeName}`] as Validate,
    check: (typeName) => exports[`check${typeName}`] as Validate,
    write: (typeName) => exports[`write${typeName}`] as (value: unknown) => unknown,
    jsonSchema: JSON.parse(schema?.text ?? ""),
  };
}

/** Runs a file whose only imports with a value are from the runtime. */
function run(text: string): Readonly<Record<string, (value: unknown) => unknown>> {
  const { code } = transformSync(text, { loader: "ts", format: "cjs", target: "node20" });
  const module = { exports: {} };
  new Function("module", "exports", "require", code)(module, module.exports, () => runtime);
  return module.exports;
}
