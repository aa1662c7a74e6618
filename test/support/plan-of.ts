import { compile } from "../../generator/compile.ts";
import { hashIr, writeIr } from "../../generator/ir/write.ts";
import { buildPlan, type PlanInput } from "../../generator/plan/build.ts";
import type { Plan } from "../../generator/plan/plan.ts";
import { memoryReader } from "./memory-reader.ts";

/** The plan of one RIDL text; throws with the diagnostics if there is an error in it. */
export function planOf(ridl: string, options: Pick<PlanInput, "builtinErrors"> = {}): Plan {
  const { result, diagnostics } = compile("schema.ridl", memoryReader({ "schema.ridl": ridl }));
  if (result === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  const irText = writeIr(result.ir);
  const schemaHash = hashIr(irText);
  return buildPlan({ model: result.model, schemaFile: "schema.ridl", irText, schemaHash, ...options });
}
