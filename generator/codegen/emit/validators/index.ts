import type { EmittedFile } from "../../options.ts";
import type { Plan, PlannedMethod } from "../../plan/plan.ts";
import { contractCheck } from "../imports.ts";
import { header } from "../text.ts";
import { blocksOf, runtimeImport, tableOf, textOf, textOfBlocks } from "./blocks.ts";
import { bodyFunctions, validatorsOf } from "./bodies.ts";
import { type Dialect, javascript } from "./code.ts";
import { FunctionRegistry } from "./function-registry.ts";
import { parameterizer } from "./kept.ts";

/**
 * Emits `validators.ts`: a function for each request that decodes it in place, one that checks each response, and one
 * that copies its declared fields.
 */
export function emitValidators(plan: Plan): readonly EmittedFile[] {
  const { requests, responses, errorData, requestFunctions, responseFunctions } = validatorsOf(plan);
  const declared = [...requestFunctions, ...responseFunctions];
  const printed = parameterizer(plan);
  // Kept versions import what they share with this one.
  const exported =
    plan.earlier.length > 0
      ? new Set(declared.map(({ name }) => name))
      : new Set([...requests, ...responses, ...errorData].flatMap(({ names }) => names));
  const head = [
    header(plan.schemaFile),
    ...runtimeImport(declared),
    'import type { RequestValidators, ResponseValidators } from "ridlkit-runtime/validation";',
  ];
  const blocks = [
    head,
    [contractCheck],
    ...blocksOf(requestFunctions.map(printed), exported),
    tableOf("requests", "RequestValidators", requests),
    ...blocksOf(responseFunctions.map(printed), exported),
    tableOf("responses", "ResponseValidators", responses),
    ...(errorData.length === 0 ? [] : [tableOf("errorData", "ResponseValidators", errorData)]),
  ];
  return [{ path: "validators.ts", text: textOfBlocks(blocks) }];
}

/**
 * Returns the check of a method's requests as the body of a JavaScript function with the parameter `v`, the runtime's
 * `validation.ts`. The function returns the check.
 */
export function requestCheckCode(plan: Plan, method: PlannedMethod, dialect: Dialect = javascript): string {
  const { typeName } = method.request;
  const declared = bodyFunctions(new FunctionRegistry(plan, "request", { dialect }), [typeName]);
  return [...declared.map(({ lines }) => textOf(lines)), `return read${typeName};`].join("\n");
}
