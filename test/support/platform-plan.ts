import { readFileSync } from "node:fs";
import { resolveOptions } from "../../generator/codegen/options.ts";
import { buildPlan } from "../../generator/codegen/plan/build.ts";
import type { Plan } from "../../generator/codegen/plan/plan.ts";
import { compile } from "../../generator/language/compile.ts";
import type { SourceReader } from "../../generator/language/source/reader.ts";

const fromDisk: SourceReader = {
  read: (path) => ({ kind: "bytes", bytes: readFileSync(path) }),
};

/** The plan of the platform's own contract. */
export function platformPlan(): Plan {
  const entry = new URL("../../schema/platform.ridl", import.meta.url).pathname;
  const { result } = compile(entry, fromDisk);
  if (result === undefined) throw new Error("the platform's schema does not compile");
  return buildPlan(result.model, resolveOptions({ schemaFile: "schema/platform.ridl" }));
}
