import { annotationInputs } from "./inputs/annotations.ts";
import { blankInputs } from "./inputs/blanks.ts";
import { commentInputs } from "./inputs/comments.ts";
import { headerInputs } from "./inputs/headers.ts";
import { importInputs } from "./inputs/imports.ts";
import { irJsonInputs } from "./inputs/ir-json.ts";
import { methodInputs } from "./inputs/methods.ts";
import type { CaseInput } from "./inputs/rows.ts";
import { ruleInputs } from "./inputs/rules.ts";
import { typeInputs } from "./inputs/types.ts";
import { valueInputs } from "./inputs/values.ts";

/** Every point of the grammar where an independent parser may differ from the reference parser. */
export function moreInputs(): readonly CaseInput[] {
  return [
    ...headerInputs(),
    ...importInputs(),
    ...typeInputs(),
    ...valueInputs(),
    ...methodInputs(),
    ...annotationInputs(),
    ...commentInputs(),
    ...ruleInputs(),
    ...blankInputs(),
    ...irJsonInputs(),
  ];
}
