import type { EmittedFile, Options } from "../../options.ts";
import type { Plan } from "../../plan/plan.ts";
import { planSteps } from "../../plan/versions/steps.ts";
import { emitDefinitions } from "../server/index.ts";
import { typesFile } from "../types/index.ts";
import { emitChecks, emitValidators } from "../validators/index.ts";
import { emitConverters } from "./converters.ts";
import { checkedTypes, emitVersion } from "./version.ts";

/** Emits a folder in `versions/` for each earlier version that the server speaks. */
export function emitVersions(plan: Plan, options: Options): readonly EmittedFile[] {
  const steps = planSteps(plan);
  return steps.flatMap((step, index) => {
    const needsTypes = step.isCustom || steps[index - 1]?.isCustom === true;
    return [
      ...emitDefinitions(step.plan).map((file) => moved(file, step.folder)),
      ...emitValidators(step.plan).map((file) => moved(file, step.folder)),
      ...(needsTypes ? [moved(typesFile(step.plan, options, false), step.folder)] : []),
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
      emitVersion(step, options),
    ];
  });
}

/** Moves a file into the folder of its version. */
function moved({ path, text }: EmittedFile, folder: string): EmittedFile {
  return { path: `versions/${folder}/${path}`, text };
}
