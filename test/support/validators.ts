import { transformSync } from "esbuild";
import { emitJsonSchema } from "../../generator/emit/json-schema/index.ts";
import { emitValidators } from "../../generator/emit/validators/index.ts";
import type { Plan } from "../../generator/plan/plan.ts";
import type { Issue } from "../../generator/runtime/v1/issue.ts";
import * as runtime from "../../generator/runtime/v1/validation.ts";

export type Validate = (value: unknown) => readonly Issue[] | undefined;

/** The generated validators of a plan, running on the runtime's sources, and the JSON Schema beside them. */
export interface LoadedValidators {
  read(typeName: string): Validate;
  check(typeName: string): Validate;
  /** What goes over the wire: the value itself where nothing is to be done. */
  write(typeName: string): (value: unknown) => unknown;
  readonly jsonSchema: { readonly $id: string; readonly $defs: Readonly<Record<string, object>> };
}

export function loadValidators(plan: Plan): LoadedValidators {
  const texts = new Map(emitValidators(plan).map(({ path, text }) => [path, text]));
  const requests = evaluate(texts.get("validators/requests.ts") ?? "");
  const responses = evaluate(texts.get("validators/responses.ts") ?? "");
  const [schema] = emitJsonSchema(plan);
  return {
    read: (typeName) => requests[`read${typeName}`] as Validate,
    check: (typeName) => responses[`check${typeName}`] as Validate,
    write: (typeName) => responses[`write${typeName}`] ?? ((value) => value),
    jsonSchema: JSON.parse(schema?.text ?? ""),
  };
}

/** Runs a generated file whose only import with a value is the runtime. */
function evaluate(text: string): Readonly<Record<string, (value: unknown) => unknown>> {
  const { code } = transformSync(text, { loader: "ts", format: "cjs", target: "node20" });
  const module = { exports: {} };
  new Function("module", "exports", "require", code)(module, module.exports, () => runtime);
  return module.exports;
}
