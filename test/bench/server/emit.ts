import type { EmittedFile } from "../../../generator/emit/emitter.ts";
import { emitServer } from "../../../generator/emit/server/index.ts";
import { emitTypes } from "../../../generator/emit/types/index.ts";
import { emitValidators } from "../../../generator/emit/validators/index.ts";
import { planOf } from "../../support/sample-plan.ts";

export function emitAll(ridl: string): readonly EmittedFile[] {
  const plan = planOf({ "schema.ridl": ridl }, "schema.ridl");
  return [...emitTypes(plan), ...emitValidators(plan), ...emitServer(plan)];
}
