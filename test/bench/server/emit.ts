import type { EmittedFile } from "../../../generator/codegen/emit/emitter.ts";
import { emitServer } from "../../../generator/codegen/emit/server/index.ts";
import { emitTypes } from "../../../generator/codegen/emit/types/index.ts";
import { emitValidators } from "../../../generator/codegen/emit/validators/index.ts";
import { planOf } from "../../support/sample-plan.ts";

export function emitAll(ridl: string): readonly EmittedFile[] {
  const plan = planOf({ "schema.ridl": ridl }, "schema.ridl");
  return [...emitTypes(plan), ...emitValidators(plan), ...emitServer(plan)];
}
