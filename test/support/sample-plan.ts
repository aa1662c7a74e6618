import { createPlan } from "../../generator/codegen/generate.ts";
import type { GivenOptions } from "../../generator/codegen/options.ts";
import type { Plan } from "../../generator/codegen/plan/plan.ts";
import { compile } from "../../generator/language/compile.ts";
import { type Files, memoryReader } from "./memory-reader.ts";

/** The plan of a schema in memory. Throws with its diagnostics if it does not compile. */
export function planOf(
  files: Files,
  entry: string,
  options: Pick<GivenOptions, "protocolErrors" | "int64" | "timestamps"> = {},
): Plan {
  const { result, diagnostics } = compile(entry, memoryReader(files));
  if (result === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return createPlan(result.model, result.ir, { ...options, schemaFile: entry });
}
