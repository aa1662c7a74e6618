import { buildPlan, type PlanInput } from "../../generator/codegen/plan/build.ts";
import type { Plan } from "../../generator/codegen/plan/plan.ts";
import { compile } from "../../generator/language/compile.ts";
import { hashIr, writeIr } from "../../generator/language/ir/write.ts";
import { type Files, memoryReader } from "./memory-reader.ts";

/** The plan of a schema in memory. Throws with its diagnostics if it does not compile. */
export function planOf(
  files: Files,
  entry: string,
  builtinErrors: PlanInput["builtinErrors"] = {},
  int64: PlanInput["int64"] = "number",
): Plan {
  const { result, diagnostics } = compile(entry, memoryReader(files));
  if (result === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  const irText = writeIr(result.ir);
  return buildPlan({
    model: result.model,
    schemaFile: entry,
    irText,
    schemaHash: hashIr(irText),
    builtinErrors,
    int64,
  });
}
