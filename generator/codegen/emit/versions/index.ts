import type { Plan } from "../../plan/plan.ts";
import { type PlannedStep, planSteps } from "../../plan/versions/steps.ts";
import type { EmittedFile } from "../emitter.ts";
import { emitDefinitions } from "../server/index.ts";
import { emitTypes } from "../types/index.ts";
import { emitChecks, emitValidators } from "../validators/index.ts";
import { emitConverters } from "./converters.ts";
import { checkedTypes, emitVersion } from "./version.ts";

export interface VersionsEmitOptions {
  readonly filesInMemory: boolean;
  /** The oldest version first. */
  readonly kept: readonly Plan[];
}

/** Emits a folder in `versions/` for each earlier version that the server speaks. */
export function emitVersions(
  plan: Plan,
  { filesInMemory, kept }: VersionsEmitOptions,
): readonly EmittedFile[] {
  const steps = planSteps(kept, plan);
  return steps.flatMap((step, index) => {
    const needsTypes = step.isCustom || steps[index - 1]?.isCustom === true;
    return [
      ...emitDefinitions(step.plan).map((file) => moved(file, step.folder)),
      ...emitValidators(step.plan).map((file) => moved(file, step.folder)),
      ...(needsTypes ? emitTypesOnly(step, filesInMemory) : []),
      ...emitConverters(step),
      ...emitChecks(
        step.next,
        `versions/${step.folder}/request-checks.ts`,
        checkedTypes(step.methods, "request"),
      ),
      ...emitChecks(
        step.plan,
        `versions/${step.folder}/response-checks.ts`,
        checkedTypes(step.methods, "response"),
      ),
      emitVersion(step, filesInMemory),
    ];
  });
}

function emitTypesOnly({ plan, folder }: PlannedStep, filesInMemory: boolean): readonly EmittedFile[] {
  const files = emitTypes(plan, { filesInMemory });
  return files.filter(({ path }) => path === "types.ts").map((file) => moved(file, folder));
}

/** Moves a file into the folder of its version. All versions share one runtime. */
function moved({ path, text }: EmittedFile, folder: string): EmittedFile {
  return { path: `versions/${folder}/${path}`, text: text.replace(runtimeImport, "$1../../$2runtime/") };
}

/** Lines of schema comments start with an asterisk, so they do not match. */
const runtimeImport = /^((?:import|export|\}) ?(?:[^"\n]* )?from ")(?:\.\/)?((?:\.\.\/)*)runtime\//gm;
